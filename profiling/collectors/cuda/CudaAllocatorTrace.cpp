// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cuda/CudaAllocatorTrace.h"

#include "profiling/collectors/TrialClock.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace headroom::collectors {
namespace {

using c10::CachingDeviceAllocator::BlockInfo;
using c10::CachingDeviceAllocator::SegmentInfo;
using simulator::BlockState;

BlockState cudaBlockState(const BlockInfo& block)
{
    if (block.allocated)
        return BlockState::ActiveAllocated;
    return block.active ? BlockState::ActivePendingFree : BlockState::Inactive;
}

simulator::SegmentSnapshot withBlocks(simulator::SegmentSnapshot segment, const std::vector<BlockInfo>& blocks)
{
    simulator::Address address = segment.address;
    for (const BlockInfo& block : blocks) {
        segment.blocks.push_back(
            {address, static_cast<Bytes>(block.size), static_cast<Bytes>(block.requested_size), cudaBlockState(block)});
        address += block.size;
    }
    return segment;
}

simulator::SegmentSnapshot cudaSegment(const SegmentInfo& told, simulator::Stream stream)
{
    simulator::SegmentSnapshot segment;
    segment.address = told.address;
    segment.totalBytes = static_cast<Bytes>(told.total_size);
    segment.allocatedBytes = static_cast<Bytes>(told.allocated_size);
    segment.activeBytes = static_cast<Bytes>(told.active_size);
    segment.requestedBytes = static_cast<Bytes>(told.requested_size);
    segment.stream = stream;
    segment.pool = told.is_large ? simulator::PoolKind::Large : simulator::PoolKind::Small;
    segment.kind = told.is_expandable ? simulator::SegmentKind::Expandable : simulator::SegmentKind::Plain;
    return withBlocks(std::move(segment), told.blocks);
}

using Entry = CudaAllocatorTrace::Entry;

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

} // namespace

simulator::AllocatorSnapshot snapshotOf(
    const CudaSnapshot& told, int device, const std::function<simulator::Stream(const void*)>& numberOf)
{
    simulator::AllocatorSnapshot snapshot;
    for (const SegmentInfo& segment : told.segments)
        if (segment.device == device)
            snapshot.segments.push_back(cudaSegment(segment, numberOf(segment.stream)));
    return snapshot;
}

// "No limit" is the largest number of an unsigned type there.
simulator::AllocatorSettings blockSettingsOf(const CudaSnapshot& told)
{
    const auto& config = told.config_metadata;
    simulator::AllocatorSettings settings;
    settings.maxSplitBytes =
        static_cast<Bytes>(std::min(config.max_split_size, static_cast<std::size_t>(simulator::kUnlimitedSplit)));
    settings.growth =
        config.expandable_segments ? simulator::SegmentGrowth::Expandable : simulator::SegmentGrowth::Fixed;
    auto& divisions = settings.roundupPower2Divisions;
    for (std::size_t index = 0; index < std::min(divisions.size(), config.roundup_power2_divisions.size()); ++index)
        divisions[index] = static_cast<int>(config.roundup_power2_divisions[index]);
    return settings;
}

CudaAllocatorTrace::CudaAllocatorTrace(int device, std::chrono::steady_clock::time_point origin, std::size_t mostEvents)
    : m_device(device)
    , m_origin(origin)
    , m_mostEvents(mostEvents)
    , m_streams{{nullptr, 0}}
{
}

std::int64_t CudaAllocatorTrace::timeNs() const
{
    return std::chrono::nanoseconds(TrialClock::now() - m_origin).count();
}

void CudaAllocatorTrace::add(const Entry& entry)
{
    EventRing<Happening>* ring = m_recording.load(std::memory_order_acquire);
    if (ring == nullptr)
        return;
    if (entry.action_ == Entry::SNAPSHOT) // LibTorch writes device 0 into those of all devices
        ring->push({.isSnapshot = true});
    const auto action = actionOf(entry.action_);
    if (!action || entry.device_ != m_device)
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
        ring->push({timeNs(), address, 0, nullptr, trace::Action::Relabelled, false, change});
}

void CudaAllocatorTrace::begin(Observer observer, const TakeSnapshot& takeSnapshot)
{
    end();
    if (!m_ring)
        m_ring = std::make_unique<EventRing<Happening>>(m_mostEvents);
    m_lostBefore = m_ring->lost();
    const std::int64_t now = timeNs();
    m_recording.store(m_ring.get(), std::memory_order_release);
    const CudaSnapshot told = takeSnapshot();
    m_observer = std::move(observer);
    m_labels = {};
    m_sizes.emplace(blockSettingsOf(told));
    m_allocatedBytes = 0;
    tellLiving(told, now);
    handOnSinceSnapshot();
}

void CudaAllocatorTrace::tellLiving(const CudaSnapshot& told, std::int64_t beginNs)
{
    const simulator::AllocatorSnapshot living =
        snapshotOf(told, m_device, [this](const void* stream) { return numberOf(stream); });
    for (const trace::AllocatorEvent& event : simulator::livingEvents(living, beginNs)) {
        m_sizes->adopt(event);
        tell(m_labels.labelled(event, {}));
    }
}

// The allocators of all devices are looked at one after the other. What this one did before its turn is in the
// snapshot; where it cannot be told when that was, nothing is assumed to have happened meanwhile.
void CudaAllocatorTrace::handOnSinceSnapshot()
{
    std::vector<Happening> meanwhile;
    m_ring->drain([&](const Happening& happening) { meanwhile.push_back(happening); });
    auto since = meanwhile.begin();
    int device = 0;
    for (auto happening = meanwhile.begin(); happening != meanwhile.end(); ++happening)
        if (happening->isSnapshot && device++ == m_device)
            since = happening;
    for (; since != meanwhile.end(); ++since)
        handOn(*since);
}

void CudaAllocatorTrace::handOn()
{
    if (m_ring && m_observer)
        m_ring->drain([this](const Happening& happening) { handOn(happening); });
}

void CudaAllocatorTrace::handOn(const Happening& happening)
{
    if (happening.isSnapshot)
        return;
    if (happening.action == trace::Action::Relabelled) {
        if (const auto event = m_labels.relabelled(happening.address, happening.change, happening.timeNs))
            tell(*event);
        return;
    }
    const trace::AllocatorEvent told{happening.timeNs, happening.address, happening.bytes, happening.bytes,
        numberOf(happening.stream), happening.action};
    tell(m_labels.labelled(m_sizes->sized(told), happening.change.label));
}

void CudaAllocatorTrace::tell(const LabelledEvent& event)
{
    if (event.action == trace::Action::Alloc)
        m_allocatedBytes += event.bytes;
    else if (event.action == trace::Action::FreeRequested)
        m_allocatedBytes -= event.bytes;
    m_observer(event);
}

void CudaAllocatorTrace::claimUnknown(Bytes requestedBytes, const tensor::MemoryLabel& label)
{
    handOn();
    if (m_observer)
        for (const LabelledEvent& event : m_labels.claimUnknown(requestedBytes, label, timeNs()))
            tell(event);
}

// Without an observer, as when no snapshot could be taken, what was recorded belongs to no trace.
void CudaAllocatorTrace::end()
{
    m_recording.store(nullptr, std::memory_order_release);
    handOn();
    if (m_ring)
        m_ring->drain([](const Happening&) { });
    m_observer = nullptr;
}

// Numbered in the order of their first appearance; the default stream is 0.
std::int32_t CudaAllocatorTrace::numberOf(const void* stream)
{
    return m_streams.try_emplace(stream, static_cast<std::int32_t>(m_streams.size())).first->second;
}

} // namespace headroom::collectors
