// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/CachingAllocator.h"

#include "core/base/Error.h"
#include "profiling/simulator/OutOfMemory.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace headroom::simulator {
namespace {

constexpr const char* kCachingWhere = "the simulated caching allocator";

LedgerEntry entryOf(const Block& block)
{
    return {block.address, block.bytes, block.requestedBytes, block.stream, block.pool->kind()};
}

void requireSensible(Bytes requestedBytes)
{
    constexpr Bytes kMostBytes = Bytes{1} << 60; // rounding cannot overflow below this
    if (requestedBytes < 0 || requestedBytes > kMostBytes)
        throw Error(fmt::format("a request of {} bytes", requestedBytes), kCachingWhere, "0 to 2^60 bytes");
}

/// The size to which an expandable segment's block could grow: itself and the unmapped part after it.
Bytes growthOf(const Block& block)
{
    return block.bytes + (block.next && !block.next->isMapped ? block.next->bytes : 0);
}

} // namespace

void StreamEvents::defer(Block& block)
{
    for (const Stream stream : std::exchange(block.streamUses, {})) {
        m_pending[stream].push_back(&block);
        ++block.pendingEvents;
    }
}

void StreamEvents::synchronize(Stream stream)
{
    const auto pending = m_pending.find(stream);
    if (pending == m_pending.end())
        return;
    m_ready.insert(m_ready.end(), pending->second.begin(), pending->second.end());
    m_pending.erase(pending);
}

void StreamEvents::synchronizeAll()
{
    while (!m_pending.empty())
        synchronize(m_pending.begin()->first);
}

Block* StreamEvents::nextReady()
{
    while (!m_ready.empty()) {
        Block* const block = m_ready.front();
        m_ready.pop_front();
        if (--block->pendingEvents == 0)
            return block;
    }
    return nullptr;
}

CachingAllocator::CachingAllocator(DeviceCapacity capacity, const AllocatorSettings& settings)
    : m_settings(settings)
    , m_device(capacity)
    , m_segments(m_settings, m_device, m_arena, ledger())
    , m_ranges(m_settings, m_device, m_arena, ledger())
    , m_reclaimer(m_settings, m_device, m_segments, m_ranges)
{
    if (settings.memoryFraction)
        setMemoryFraction(*settings.memoryFraction);
}

void CachingAllocator::setMemoryFraction(double fraction)
{
    if (!(fraction >= 0.0 && fraction <= 1.0))
        throw Error(fmt::format("a memory fraction of {}", fraction), kCachingWhere, "0 to 1");
    m_device.setFraction(fraction);
}

Address CachingAllocator::allocate(Bytes requestedBytes, Stream stream)
{
    requireSensible(requestedBytes);
    if (requestedBytes == 0)
        return 0;
    completeDeferredFrees();
    const Bytes roundedBytes = m_settings.roundedBytes(requestedBytes);
    const Request request{requestedBytes, roundedBytes, m_settings.segmentBytes(roundedBytes), stream,
        &m_pools.of(poolFor(roundedBytes))};
    Block* const cached = takeCached(request, *request.pool);
    return handOut(cached ? *cached : obtain(request), request);
}

Block* CachingAllocator::takeCached(const Request& request, BlockPool& pool)
{
    if (m_device.hasFraction() && m_settings.garbageCollectionThreshold > 0.0)
        pool.noteSearch();
    auto fit = pool.firstFit(request.stream, request.roundedBytes);
    if (fit == pool.cached().end())
        return nullptr;
    if (fit->block->range)
        fit = smallestGrowth(fit, pool);
    // Only one candidate is tried: if it is unsuitable, new memory is taken even if a larger block would do.
    const bool isOversizeRequest = request.roundedBytes >= m_settings.maxSplitBytes;
    if (!isOversizeRequest && fit->bytes >= m_settings.maxSplitBytes)
        return nullptr;
    if (isOversizeRequest && fit->bytes - request.roundedBytes >= m_settings.maxNonSplitRoundingBytes)
        return nullptr;
    Block& block = *fit->block;
    pool.erase(block);
    return &block;
}

/// For best fit, the size of a block in an expandable segment is the size to which it could grow.
FitOrder::const_iterator CachingAllocator::smallestGrowth(FitOrder::const_iterator fit, const BlockPool& pool) const
{
    for (auto next = std::next(fit); fit->block->range && next != pool.cached().end() && next->stream == fit->stream
        && growthOf(*next->block) < growthOf(*fit->block);
        ++next)
        fit = next;
    return fit;
}

Block& CachingAllocator::obtain(const Request& request)
{
    if (m_device.hasFraction() && m_settings.garbageCollectionThreshold > 0.0)
        m_reclaimer.collectGarbage(m_pools.large);
    if (isRejected(request))
        fail(request);
    Block* block = takeNew(request);
    if (!block && m_reclaimer.releaseOversize(*request.pool, request.stream, request.roundedBytes))
        block = takeNew(request);
    if (!block) {
        releaseCached();
        ledger().retried();
        block = takeNew(request);
    }
    if (!block)
        fail(request);
    return *block;
}

bool CachingAllocator::isRejected(const Request& request)
{
    if (m_settings.fractionPolicy == FractionPolicy::Retry || m_device.fractionAllows(request.segmentBytes))
        return false;
    ledger().rejectedBeforeDevice();
    return true;
}

Block* CachingAllocator::takeNew(const Request& request)
{
    if (!m_device.fractionAllows(request.segmentBytes))
        return nullptr;
    if (m_settings.isExpandable())
        return m_ranges.grow(*request.pool, request.stream, request.roundedBytes);
    return m_segments.allocate(*request.pool, request.stream, request.segmentBytes);
}

void CachingAllocator::fail(const Request& request)
{
    const Bytes freeBytes = m_device.freeBytes();
    const OutOfMemoryFacts facts{request.requestedBytes, m_device.lastRefusedBytes(), freeBytes,
        m_device.missingBytes(), stats().allocatedBytes.aggregate.current, stats().reservedBytes.aggregate.current};
    ledger().outOfMemory(request.requestedBytes, freeBytes, request.stream);
    throw OutOfMemory(facts);
}

/// Allocates the low part; the tail returns to the pool.
Block& CachingAllocator::split(Block& block, Bytes roundedBytes)
{
    const bool wasSplit = block.isSplit();
    Block& front = m_arena.splitFront(block, roundedBytes);
    block.pool->insert(block);
    if (block.range)
        return front;
    if (wasSplit)
        ledger().inactiveSplitChanged(block.pool->kind(), 0, -roundedBytes);
    else
        ledger().inactiveSplitChanged(block.pool->kind(), 1, block.bytes);
    return front;
}

Address CachingAllocator::handOut(Block& found, const Request& request)
{
    Block* block = &found;
    if (m_settings.splits(found.bytes, request.roundedBytes))
        block = &split(found, request.roundedBytes);
    else if (found.isSplit() && !found.range)
        ledger().inactiveSplitChanged(found.pool->kind(), -1, -found.bytes);
    block->isAllocated = true;
    block->requestedBytes = request.requestedBytes;
    m_spareNodes.put(m_handedOut, {block->address, block});
    if (block->bytes >= m_settings.maxSplitBytes)
        ledger().oversizeAllocationsChanged(1);
    ledger().blockAllocated(entryOf(*block));
    return block->address;
}

std::unordered_map<Address, Block*>::iterator CachingAllocator::handedOut(Address address)
{
    const auto found = m_handedOut.find(address);
    if (found == m_handedOut.end())
        throw Error(
            fmt::format("address {:#x} is not handed out", address), kCachingWhere, "an address given by allocate()");
    return found;
}

void CachingAllocator::free(Address address)
{
    if (address == 0)
        return;
    const auto place = handedOut(address);
    Block& block = *place->second;
    m_spareNodes.take(m_handedOut, place);
    block.isAllocated = false;
    if (block.bytes >= m_settings.maxSplitBytes)
        ledger().oversizeAllocationsChanged(-1);
    ledger().freeRequested(entryOf(block));
    if (block.streamUses.empty())
        completeFree(block);
    else
        m_events.defer(block);
}

void CachingAllocator::recordStream(Address address, Stream stream)
{
    if (address == 0)
        return;
    Block& block = *handedOut(address)->second;
    auto& uses = block.streamUses;
    if (stream != block.stream && std::find(uses.begin(), uses.end(), stream) == uses.end())
        uses.push_back(stream);
}

void CachingAllocator::completeFree(Block& block)
{
    const LedgerEntry entry = entryOf(block);
    BlockPool& pool = *block.pool;
    std::int64_t splitBlocks = 0;
    Bytes splitBytes = 0;
    for (Block* neighbour : {block.previous, block.next}) {
        const Bytes gained = m_arena.tryMerge(block, neighbour);
        splitBlocks -= gained > 0 ? 1 : 0;
        splitBytes -= gained;
    }
    block.requestedBytes = 0;
    pool.insert(block);
    if (block.isSplit()) {
        splitBlocks += 1;
        splitBytes += block.bytes;
    }
    if (!block.range && (splitBlocks != 0 || splitBytes != 0))
        ledger().inactiveSplitChanged(pool.kind(), splitBlocks, splitBytes);
    ledger().freeCompleted(entry);
}

void CachingAllocator::completeDeferredFrees()
{
    while (Block* const block = m_events.nextReady())
        completeFree(*block);
}

void CachingAllocator::emptyCache()
{
    releaseCached();
}

void CachingAllocator::releaseCached()
{
    m_events.synchronizeAll();
    ledger().synchronizedAllStreams();
    completeDeferredFrees();
    m_reclaimer.releaseAll(m_pools.large);
    m_reclaimer.releaseAll(m_pools.small);
}

AllocatorSnapshot CachingAllocator::snapshot() const
{
    return snapshotOf(m_arena);
}

} // namespace headroom::simulator
