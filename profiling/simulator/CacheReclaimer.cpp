// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/CacheReclaimer.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace headroom::simulator {

namespace {

bool isWholeSegment(const Block& block)
{
    return !block.range && !block.isSplit();
}

std::vector<Block*> cachedBlocks(const BlockPool& pool)
{
    std::vector<Block*> blocks;
    blocks.reserve(pool.cached().size());
    for (const FitKey& key : pool.cached())
        blocks.push_back(key.block);
    return blocks;
}

} // namespace

CacheReclaimer::CacheReclaimer(
    const AllocatorSettings& settings, const DeviceMemory& device, SegmentSource& segments, ExpandableSegments& ranges)
    : m_settings(settings)
    , m_device(device)
    , m_segments(segments)
    , m_ranges(ranges)
{
}

void CacheReclaimer::releaseAll(BlockPool& pool)
{
    // Unmapping changes the order of the pool and its blocks' records, but never removes another cached block.
    std::vector<Block*> expandable;
    for (Block* block : cachedBlocks(pool)) {
        if (block->range)
            expandable.push_back(block);
        else if (isWholeSegment(*block))
            m_segments.release(*block);
    }
    for (Block* block : expandable)
        m_ranges.unmap(*block);
}

bool CacheReclaimer::releaseOversize(BlockPool& pool, Stream stream, Bytes bytes)
{
    if (m_settings.maxSplitBytes == kUnlimitedSplit)
        return false;
    const Bytes neededBytes = std::max(bytes, m_settings.maxSplitBytes);
    const auto fit = pool.firstFit(stream, neededBytes);
    if (fit == pool.cached().end() || !isWholeSegment(*fit->block)) {
        // Past the last block of the stream, which is its largest.
        return releaseLargest(pool, pool.cached().lower_bound({stream, neededBytes, 0, nullptr}), stream, neededBytes);
    }
    m_segments.release(*fit->block);
    return true;
}

bool CacheReclaimer::releaseLargest(BlockPool& pool, FitOrder::const_iterator above, Stream stream, Bytes bytes)
{
    Bytes released = 0;
    while (released < bytes && above != pool.cached().begin()) {
        const FitKey largest = *std::prev(above);
        if (largest.stream != stream || largest.bytes < m_settings.maxSplitBytes)
            break;
        if (!isWholeSegment(*largest.block)) {
            --above;
            continue;
        }
        released += largest.bytes;
        m_segments.release(*largest.block);
    }
    return released >= bytes;
}

void CacheReclaimer::collectGarbage(BlockPool& pool)
{
    const auto allowed =
        static_cast<Bytes>(m_settings.garbageCollectionThreshold * static_cast<double>(m_device.fractionBytes()));
    std::vector<Block*> freeable = cachedBlocks(pool);
    std::erase_if(freeable, [](const Block* block) { return !isWholeSegment(*block); });
    std::int64_t totalAge = 0;
    for (const Block* block : freeable)
        totalAge += pool.age(*block);
    while (m_device.takenBytes() > allowed && !freeable.empty()) {
        const double meanAge = static_cast<double>(totalAge) / static_cast<double>(freeable.size());
        // One sweep frees all old blocks, more than needed: collecting again soon would cost more.
        std::erase_if(freeable, [&](Block* block) {
            const std::int64_t age = pool.age(*block);
            if (static_cast<double>(age) < meanAge)
                return false;
            totalAge -= age;
            m_segments.release(*block);
            return true;
        });
    }
}

} // namespace headroom::simulator
