// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/AccountedMemory.h"

#include "core/memory/HostMemory.h"
#include "core/memory/MemoryAttribution.h"

namespace headroom::collectors {
namespace {

using HostKind = simulator::HostMemory;

bool isOfBlock(const trace::AllocatorEvent& event)
{
    return event.action == trace::Action::Alloc || event.action == trace::Action::FreeRequested;
}

} // namespace

AccountedMemory::AccountedMemory(
    std::unique_ptr<simulator::SimulatedAllocator> allocator, std::unique_ptr<simulator::SimulatedAllocator> mirror)
    : m_allocator(std::move(allocator))
{
    if (mirror)
        m_mirror.emplace(std::move(mirror));
}

tensor::MemoryBackend::Handle AccountedMemory::allocate(Bytes bytes)
{
    const std::scoped_lock lock(m_mutex);
    return allocateLocked(m_observer ? tensor::currentLabel() : tensor::MemoryLabel(), bytes);
}

tensor::MemoryBackend::Handle AccountedMemory::allocateFor(const tensor::MemoryLabel& label, Bytes bytes)
{
    const std::scoped_lock lock(m_mutex);
    return allocateLocked(m_observer ? label : tensor::MemoryLabel(), bytes);
}

tensor::MemoryBackend::Handle AccountedMemory::allocateLocked(const tensor::MemoryLabel& label, Bytes bytes)
{
    m_birthLabel = label;
    const Handle handle = m_allocator->allocate(bytes);
    if (m_mirror)
        m_mirror->allocated(handle, bytes);
    for (RequestListener* listener : m_requestListeners)
        listener->allocated(handle, bytes, label);
    return handle;
}

tensor::MemoryBackend::Handle AccountedMemory::allocateHost(tensor::HostMemory kind, Bytes bytes)
{
    const std::scoped_lock lock(m_mutex);
    const auto pool = kind == tensor::HostMemory::Pinned ? HostKind::Pinned : HostKind::Pageable;
    m_hostPool.allocate(pool, bytes);
    m_hostBlocks.emplace(m_nextHostHandle, HostBlock{pool, bytes});
    for (RequestListener* listener : m_requestListeners)
        listener->allocatedOnHost(m_nextHostHandle, kind, bytes);
    return m_nextHostHandle++;
}

void AccountedMemory::release(Handle handle) noexcept
{
    const std::scoped_lock lock(m_mutex);
    for (RequestListener* listener : m_requestListeners)
        listener->released(handle);
    if (releaseHost(handle))
        return;
    m_allocator->free(handle);
    if (m_mirror)
        m_mirror->freed(handle);
}

bool AccountedMemory::releaseHost(Handle handle)
{
    const auto node = handle < kFirstHostHandle ? decltype(m_hostBlocks)::node_type() : m_hostBlocks.extract(handle);
    if (!node)
        return false;
    m_hostPool.free(node.mapped().kind, node.mapped().bytes);
    return true;
}

void AccountedMemory::relabel(Handle handle, const tensor::LabelChange& change) noexcept
{
    const std::scoped_lock lock(m_mutex);
    if (!m_observer || handle >= kFirstHostHandle)
        return;
    const auto event = m_labels.relabelled(handle, change, m_clock ? m_clock() : 0);
    if (!event)
        return;
    m_observer(*event);
    for (RequestListener* listener : m_requestListeners)
        listener->relabelled(handle, change);
}

simulator::DeviceStats AccountedMemory::stats()
{
    const std::scoped_lock lock(m_mutex);
    return m_allocator->stats();
}

std::optional<Bytes> AccountedMemory::mirroredBytes()
{
    const std::scoped_lock lock(m_mutex);
    return m_mirror ? std::optional(m_mirror->reservedBytes()) : std::nullopt;
}

std::optional<Bytes> AccountedMemory::mirroredPeakBytes()
{
    const std::scoped_lock lock(m_mutex);
    return m_mirror ? std::optional(m_mirror->peakReservedBytes()) : std::nullopt;
}

simulator::HostPool AccountedMemory::hostPool()
{
    const std::scoped_lock lock(m_mutex);
    return m_hostPool;
}

void AccountedMemory::resetPeaks()
{
    const std::scoped_lock lock(m_mutex);
    m_hostPool.resetPeaks();
    m_allocator->resetPeakStats();
    if (m_mirror)
        m_mirror->resetPeakStats();
}

void AccountedMemory::emptyCache()
{
    const std::scoped_lock lock(m_mutex);
    m_allocator->emptyCache();
    if (m_mirror)
        m_mirror->emptyCache();
}

void AccountedMemory::setClock(simulator::SimulatedAllocator::Clock clock)
{
    const std::scoped_lock lock(m_mutex);
    m_clock = clock;
    m_allocator->setClock(std::move(clock));
}

void AccountedMemory::addRequestListener(RequestListener& listener)
{
    const std::scoped_lock lock(m_mutex);
    m_requestListeners.push_back(&listener);
}

void AccountedMemory::removeRequestListener(RequestListener& listener)
{
    const std::scoped_lock lock(m_mutex);
    std::erase(m_requestListeners, &listener);
}

void AccountedMemory::observe(Instruments::TraceObserver observer, std::chrono::nanoseconds now)
{
    const std::scoped_lock lock(m_mutex);
    m_observer = std::move(observer);
    m_labels = {};
    if (!m_observer) {
        m_allocator->setObserver(nullptr);
        return;
    }
    m_birthLabel = {};
    const auto tell = [this](
                          const trace::AllocatorEvent& event) { m_observer(m_labels.labelled(event, m_birthLabel)); };
    const bool reserves = m_allocator->stats().reservedBytes.aggregate.current > 0;
    for (const trace::AllocatorEvent& event : simulator::livingEvents(m_allocator->snapshot(), now.count()))
        if (reserves || isOfBlock(event))
            tell(event);
    m_allocator->setObserver(tell);
}

protocol::MemoryFigures currentFigures(const simulator::DeviceStats& stats, const simulator::HostPool& host)
{
    protocol::MemoryFigures figures;
    figures.allocated = stats.allocatedBytes.aggregate.current;
    figures.requested = stats.requestedBytes.aggregate.current;
    figures.hostPinned = host.bytes(HostKind::Pinned).current;
    figures.hostPageable = host.bytes(HostKind::Pageable).current;
    return figures;
}

protocol::MemoryFigures peakFigures(const simulator::DeviceStats& stats, const simulator::HostPool& host)
{
    protocol::MemoryFigures figures;
    figures.allocated = stats.allocatedBytes.aggregate.peak;
    figures.requested = stats.requestedBytes.aggregate.peak;
    figures.hostPinned = host.bytes(HostKind::Pinned).peak;
    figures.hostPageable = host.bytes(HostKind::Pageable).peak;
    return figures;
}

} // namespace headroom::collectors
