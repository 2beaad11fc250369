// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cuda/CudaAllocatorTrace.h"

#include <utility>

namespace headroom::collectors {
namespace {

using Entry = CudaAllocatorTrace::Entry;

// Trace entries have the requested size; blocks are multiples of 512 bytes (unsplit slack is not reported).
constexpr Bytes kBlockStep = 512;

// Nullopt for entries that are not allocations.
std::optional<trace::Action> actionOf(Entry::Action action)
{
    switch (action) {
    case Entry::ALLOC:
        return trace::Action::Alloc;
    case Entry::FREE_REQUESTED:
        return trace::Action::FreeRequested;
    case Entry::FREE_COMPLETED:
        return trace::Action::FreeCompleted;
    case Entry::SEGMENT_ALLOC:
        return trace::Action::SegmentAlloc;
    case Entry::SEGMENT_FREE:
        return trace::Action::SegmentFree;
    case Entry::SEGMENT_MAP:
        return trace::Action::SegmentMap;
    case Entry::SEGMENT_UNMAP:
        return trace::Action::SegmentUnmap;
    case Entry::OOM:
        return trace::Action::OutOfMemory;
    default:
        return std::nullopt;
    }
}

// A failed request has no block whose size would be rounded.
Bytes blockBytes(trace::Action action, Bytes requested)
{
    return action == trace::Action::OutOfMemory ? requested : roundUp(requested, kBlockStep);
}

} // namespace

CudaAllocatorTrace::CudaAllocatorTrace(int device, std::chrono::steady_clock::time_point origin, std::size_t mostEvents)
    : m_device(device)
    , m_origin(origin)
    , m_mostEvents(mostEvents)
    , m_streams{{nullptr, 0}}
{
}

std::int64_t CudaAllocatorTrace::timeNs() const
{
    return std::chrono::nanoseconds(std::chrono::steady_clock::now() - m_origin).count();
}

void CudaAllocatorTrace::add(const Entry& entry)
{
    EventRing<Happening>* ring = m_recording.load(std::memory_order_acquire);
    if (ring == nullptr || entry.device_ != m_device)
        return;
    const auto action = actionOf(entry.action_);
    if (!action)
        return;
    Happening happening{
        timeNs(), entry.addr_, static_cast<Bytes>(entry.size_), const_cast<void*>(entry.stream_), *action};
    if (*action == trace::Action::Alloc)
        happening.change.label = tensor::currentLabel();
    ring->push(happening);
}

void CudaAllocatorTrace::relabel(std::uint64_t address, const tensor::LabelChange& change)
{
    if (EventRing<Happening>* ring = m_recording.load(std::memory_order_acquire))
        ring->push({timeNs(), address, 0, nullptr, trace::Action::Relabelled, change});
}

void CudaAllocatorTrace::begin(Observer observer, const std::vector<c10::CachingDeviceAllocator::SegmentInfo>& alive)
{
    end();
    if (!m_ring)
        m_ring = std::make_unique<EventRing<Happening>>(m_mostEvents);
    m_lostBefore = m_ring->lost();
    m_observer = std::move(observer);
    m_labels = {};
    const std::int64_t now = timeNs();
    for (const auto& segment : alive) {
        if (segment.device != m_device)
            continue;
        const std::int32_t stream = numberOf(segment.stream);
        const auto total = static_cast<Bytes>(segment.total_size);
        m_observer({{now, segment.address, total, total, stream, trace::Action::SegmentAlloc}});
        std::uint64_t address = segment.address;
        for (const auto& block : segment.blocks) {
            if (block.allocated)
                m_observer(m_labels.labelled(
                    {now, address, static_cast<Bytes>(block.size), static_cast<Bytes>(block.requested_size), stream},
                    {}));
            address += block.size;
        }
    }
    m_recording.store(m_ring.get(), std::memory_order_release);
}

void CudaAllocatorTrace::handOn()
{
    if (m_ring && m_observer)
        m_ring->drain([this](const Happening& happening) { handOn(happening); });
}

void CudaAllocatorTrace::handOn(const Happening& happening)
{
    if (happening.action == trace::Action::Relabelled) {
        if (const auto event = m_labels.relabelled(happening.address, happening.change, happening.timeNs))
            m_observer(*event);
        return;
    }
    const trace::AllocatorEvent event{happening.timeNs, happening.address,
        blockBytes(happening.action, happening.bytes), happening.bytes, numberOf(happening.stream), happening.action};
    m_observer(m_labels.labelled(event, happening.change.label));
}

void CudaAllocatorTrace::claimUnknown(Bytes requestedBytes, const tensor::MemoryLabel& label)
{
    handOn();
    if (m_observer)
        for (const LabelledEvent& event : m_labels.claimUnknown(requestedBytes, label, timeNs()))
            m_observer(event);
}

void CudaAllocatorTrace::end()
{
    m_recording.store(nullptr, std::memory_order_release);
    handOn();
    m_observer = nullptr;
}

// Numbered in the order of their first appearance; the default stream is 0.
std::int32_t CudaAllocatorTrace::numberOf(const void* stream)
{
    return m_streams.try_emplace(stream, static_cast<std::int32_t>(m_streams.size())).first->second;
}

} // namespace headroom::collectors
