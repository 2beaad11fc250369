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

std::optional<Address> SegmentPlacement::placeInGap(Bytes bytes)
{
    for (auto& [begin, chunk] : m_chunks) {
        if (chunk.freeBytes < bytes)
            continue;
        if (const auto gap = lowestGap(chunk.segments, begin, endOf(begin, chunk.bytes), bytes)) {
            chunk.segments.emplace(*gap, bytes);
            chunk.freeBytes -= bytes;
            return gap;
        }
    }
    return std::nullopt;
}

Address SegmentPlacement::placeInNewChunk(Bytes bytes)
{
    const Bytes chunkBytes = roundUp(bytes, kChunkBytes);
    const Address begin = topOfHole(chunkBytes);
    m_top = std::max(m_top, endOf(begin, chunkBytes));
    m_chunks.emplace(begin, Chunk{chunkBytes, chunkBytes - bytes, {{begin, bytes}}});
    return begin;
}

Address SegmentPlacement::topOfHole(Bytes bytes) const
{
    Address end = m_top == 0 ? kHighestAddress : m_top;
    for (auto chunk = m_chunks.rbegin(); chunk != m_chunks.rend(); ++chunk) {
        if (endOf(endOf(chunk->first, chunk->second.bytes), bytes) <= end)
            break;
        end = chunk->first;
    }
    return end - static_cast<Address>(bytes);
}

void SegmentPlacement::adopt(Address address, Bytes bytes)
{
    const Bytes placedBytes = roundUp(bytes, kSegmentAlignment);
    m_nextAddress = std::max(m_nextAddress, endOf(address, placedBytes));
    if (m_order != SegmentAddresses::Linux)
        return;
    Chunk& chunk = chunkAround(address, endOf(address, placedBytes));
    chunk.segments.emplace(address, placedBytes);
    chunk.freeBytes -= placedBytes;
}

/// The chunk of whole 32 MiB around a segment whose address was chosen elsewhere, merged with the chunks that it
/// touches.
SegmentPlacement::Chunk& SegmentPlacement::chunkAround(Address begin, Address end)
{
    constexpr auto kStep = static_cast<Address>(kChunkBytes);
    begin = begin / kStep * kStep;
    end = (end + kStep - 1) / kStep * kStep;
    m_top = std::max(m_top, end);
    Chunk joined;
    for (auto chunk = m_chunks.begin(); chunk != m_chunks.end();) {
        const Address chunkEnd = endOf(chunk->first, chunk->second.bytes);
        if (chunk->first >= end || chunkEnd <= begin) {
            ++chunk;
            continue;
        }
        begin = std::min(begin, chunk->first);
        end = std::max(end, chunkEnd);
        joined.segments.merge(chunk->second.segments);
        chunk = m_chunks.erase(chunk);
    }
    joined.bytes = joined.freeBytes = static_cast<Bytes>(end - begin);
    for (const auto& [address, bytes] : joined.segments)
        joined.freeBytes -= bytes;
    return m_chunks.emplace(begin, std::move(joined)).first->second;
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
    if (chunk.segments.empty())
        m_chunks.erase(found);
}

} // namespace headroom::simulator
