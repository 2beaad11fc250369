// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/SegmentPlacement.h"

#include <algorithm>
#include <iterator>

namespace headroom::simulator {

namespace {

using config::SegmentAddresses;

constexpr Address kLowestAscending = Address{1} << 40;
/// The end of a process's address space on x86-64; anything below 2^53 would do.
constexpr Address kHighestAddress = Address{1} << 47;
constexpr Bytes kChunkBytes = 32 * kMiB;
constexpr Bytes kSegmentAlignment = 2 * kMiB; ///< what cudaMalloc gives to whole segments

Address endOf(Address address, Bytes bytes)
{
    return address + static_cast<Address>(bytes);
}

/// The lowest gap between the segments of a chunk.
std::optional<Address> lowestGap(const std::map<Address, Bytes>& segments, Address begin, Address end, Bytes bytes)
{
    for (const auto& [address, segmentBytes] : segments) {
        if (endOf(begin, bytes) <= address)
            return begin;
        begin = std::max(begin, endOf(address, segmentBytes));
    }
    return endOf(begin, bytes) <= end ? std::optional(begin) : std::nullopt;
}

} // namespace

SegmentPlacement::SegmentPlacement(SegmentAddresses order)
    : m_order(order)
    , m_nextAddress(kLowestAscending)
{
}

Address SegmentPlacement::place(Bytes bytes)
{
    const Bytes placedBytes = roundUp(bytes, kSegmentAlignment);
    if (m_order == SegmentAddresses::Linux) {
        const auto gap = placeInGap(placedBytes);
        return gap ? *gap : placeInNewChunk(placedBytes);
    }
    const Address address = m_nextAddress;
    m_nextAddress = endOf(address, placedBytes);
    return address;
}

std::optional<Address> SegmentPlacement::lowestWithGap(Bytes bytes) const
{
    std::optional<Address> lowest;
    for (auto of = m_chunksByGap.lower_bound(bytes); of != m_chunksByGap.end(); ++of)
        lowest = std::min(lowest.value_or(*of->second.begin()), *of->second.begin());
    return lowest;
}

void SegmentPlacement::setGap(Address begin, Chunk& chunk, Bytes most)
{
    if (const auto found = m_chunksByGap.find(chunk.mostGap); found != m_chunksByGap.end()) {
        found->second.erase(begin);
        if (found->second.empty())
            m_chunksByGap.erase(found);
    }
    chunk.mostGap = most;
    if (most > 0)
        m_chunksByGap[most].insert(begin);
}

std::optional<Address> SegmentPlacement::placeInGap(Bytes bytes)
{
    while (const auto begin = lowestWithGap(bytes)) {
        Chunk& chunk = m_chunks.at(*begin);
        if (const auto gap = lowestGap(chunk.segments, *begin, endOf(*begin, chunk.bytes), bytes)) {
            chunk.segments.emplace(*gap, bytes);
            chunk.freeBytes -= bytes;
            setGap(*begin, chunk, std::min(chunk.mostGap, chunk.freeBytes));
            return gap;
        }
        setGap(*begin, chunk, bytes - 1);
    }
    return std::nullopt;
}

Address SegmentPlacement::placeInNewChunk(Bytes bytes)
{
    const Bytes chunkBytes = roundUp(bytes, kChunkBytes);
    const Address begin = topOfHole(chunkBytes);
    raiseTop(endOf(begin, chunkBytes));
    Chunk& chunk = m_chunks[begin];
    chunk.bytes = chunkBytes;
    chunk.freeBytes = chunkBytes - bytes;
    chunk.segments.emplace(begin, bytes);
    setGap(begin, chunk, chunk.freeBytes);
    return begin;
}

Address SegmentPlacement::topOfHole(Bytes bytes)
{
    Address end = m_top == 0 ? kHighestAddress : m_top;
    if (const auto larger = m_filledFrom.upper_bound(bytes); larger != m_filledFrom.begin())
        end = std::min(end, std::prev(larger)->second);
    // From the last chunk that begins below.
    for (auto after = m_chunks.lower_bound(end); after != m_chunks.begin(); --after) {
        const auto chunk = std::prev(after);
        if (endOf(endOf(chunk->first, chunk->second.bytes), bytes) <= end)
            break;
        end = chunk->first;
    }
    auto implied = m_filledFrom.lower_bound(bytes);
    while (implied != m_filledFrom.end() && implied->second >= end)
        implied = m_filledFrom.erase(implied);
    m_filledFrom[bytes] = end;
    return end - static_cast<Address>(bytes);
}

// There is a hole between the old one and what comes.
void SegmentPlacement::raiseTop(Address end)
{
    if (end > m_top && m_top != 0)
        m_filledFrom.clear();
    m_top = std::max(m_top, end);
}

void SegmentPlacement::adopt(Address address, Bytes bytes)
{
    const Bytes placedBytes = roundUp(bytes, kSegmentAlignment);
    m_nextAddress = std::max(m_nextAddress, endOf(address, placedBytes));
    if (m_order != SegmentAddresses::Linux)
        return;
    auto& [begin, chunk] = *chunkAround(address, endOf(address, placedBytes));
    if (chunk.segments.emplace(address, placedBytes).second)
        chunk.freeBytes -= placedBytes;
    setGap(begin, chunk, chunk.freeBytes);
}

/// The chunk of whole 32 MiB around a segment whose address was chosen elsewhere, merged with the chunks that it
/// touches.
SegmentPlacement::Chunks::iterator SegmentPlacement::chunkAround(Address begin, Address end)
{
    constexpr auto kStep = static_cast<Address>(kChunkBytes);
    begin = begin / kStep * kStep;
    end = (end + kStep - 1) / kStep * kStep;
    raiseTop(end);
    Chunk joined;
    Bytes taken = 0;
    auto chunk = m_chunks.upper_bound(begin);
    if (chunk != m_chunks.begin() && endOf(std::prev(chunk)->first, std::prev(chunk)->second.bytes) > begin)
        --chunk;
    while (chunk != m_chunks.end() && chunk->first < end) {
        begin = std::min(begin, chunk->first);
        end = std::max(end, endOf(chunk->first, chunk->second.bytes));
        taken += chunk->second.bytes - chunk->second.freeBytes;
        if (joined.segments.size() < chunk->second.segments.size())
            joined.segments.swap(chunk->second.segments);
        joined.segments.merge(chunk->second.segments);
        chunk = erase(chunk);
    }
    joined.bytes = static_cast<Bytes>(end - begin);
    joined.freeBytes = joined.bytes - taken;
    return m_chunks.emplace(begin, std::move(joined)).first;
}

SegmentPlacement::Chunks::iterator SegmentPlacement::erase(Chunks::iterator chunk)
{
    setGap(chunk->first, chunk->second, 0);
    return m_chunks.erase(chunk);
}

void SegmentPlacement::giveBack(Address address)
{
    const auto after = m_chunks.upper_bound(address);
    if (after == m_chunks.begin())
        return;
    const auto found = std::prev(after);
    Chunk& chunk = found->second;
    if (auto node = chunk.segments.extract(address))
        chunk.freeBytes += node.mapped();
    setGap(found->first, chunk, chunk.freeBytes);
    if (chunk.segments.empty()) {
        erase(found);
        m_filledFrom.clear();
    }
}

} // namespace headroom::simulator
