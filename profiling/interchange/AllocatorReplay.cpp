// SPDX-License-Identifier: Apache-2.0
#include "profiling/interchange/AllocatorReplay.h"

#include <iterator>
#include <utility>

namespace headroom::interchange {
namespace {

using trace::Action;
using trace::AllocatorEvent;

// Viewers compute with doubles: exact below 2^53, which no address and no time in microseconds of a real trace reaches.
constexpr std::uint64_t kExactNumbers = std::uint64_t{1} << 53U;

bool isExact(std::int64_t value)
{
    constexpr auto kLimit = static_cast<std::int64_t>(kExactNumbers);
    return value > -kLimit && value < kLimit;
}

bool isPossible(const AllocatorEvent& event)
{
    const bool isOutOfMemory = event.action == Action::OutOfMemory;
    return event.bytes >= (isOutOfMemory ? 0 : 1) && event.requestedBytes >= 0 && isExact(event.bytes)
        && isExact(event.requestedBytes) && isExact(event.timeNs / 1'000) && event.address < kExactNumbers;
}

std::uint64_t endOf(std::uint64_t address, Bytes bytes)
{
    return address + static_cast<std::uint64_t>(bytes);
}

// The last entry at or below the address whose range contains it, else the first one above.
template <typename Map> auto firstReaching(Map& ranges, std::uint64_t address)
{
    auto next = ranges.upper_bound(address);
    if (next != ranges.begin()) {
        const auto before = std::prev(next);
        if (endOf(before->first, before->second.bytes) > address)
            return before;
    }
    return next;
}

} // namespace

AllocatorReplay::AllocatorReplay(Listener listener, const Expectation& expectation)
    : m_listener(std::move(listener))
    , m_heldBefore(expectation.heldBefore)
    , m_mapsMemory(expectation.mapsMemory)
{
}

void AllocatorReplay::apply(const AllocatorEvent& event)
{
    if (!isPossible(event)) {
        ++m_repairs.leftOut;
        return;
    }
    switch (event.action) {
    case Action::Alloc:
        return allocate(event);
    case Action::FreeRequested:
        return requestFree(event);
    case Action::FreeCompleted:
        return completeFree(event);
    case Action::SegmentAlloc:
        return addSegment(event);
    case Action::SegmentFree:
        return removeSegment(event);
    case Action::SegmentMap:
        return mapRange(event);
    case Action::SegmentUnmap:
        return unmapRange(event);
    case Action::OutOfMemory:
        return m_listener(event);
    case Action::Relabelled:
        return relabel(event);
    }
    ++m_repairs.leftOut;
}

void AllocatorReplay::allocate(const AllocatorEvent& event)
{
    clearBlocks(event.address, event.bytes, event.timeNs);
    if (segmentAround(event.address, event.bytes) == m_segments.end()) {
        if (holdsSegmentOrBlock(event.address, event.bytes)) { // partly inside one
            ++m_repairs.leftOut;
            return;
        }
        makeRoomFor(event);
    }
    const Block block{event.bytes, event.requestedBytes, event.stream, event.owner, event.timeNs};
    m_blocks.emplace(event.address, block);
    tell(Action::Alloc, event.timeNs, event.address, block);
}

// A block outside all segments.
void AllocatorReplay::makeRoomFor(const AllocatorEvent& event)
{
    if (m_mapsMemory) {
        ++m_repairs.addedMaps;
        return mapRange(event);
    }
    const Segment own{event.bytes, event.stream, SegmentKind::OfOneBlock};
    m_segments.emplace(event.address, own);
    m_hasOwnSegments = true;
    tellSegment(Action::SegmentAlloc, event.timeNs, event.address, own);
}

void AllocatorReplay::requestFree(const AllocatorEvent& event)
{
    if (!m_blocks.contains(event.address))
        adoptBlockHeldBefore(event);
    const auto found = m_blocks.find(event.address);
    if (found == m_blocks.end() || found->second.isFreeRequested) {
        ++m_repairs.leftOut;
        return;
    }
    found->second.owner = event.owner;
    found->second.isFreeRequested = true;
    tell(Action::FreeRequested, event.timeNs, event.address, found->second);
}

void AllocatorReplay::completeFree(const AllocatorEvent& event)
{
    if (!m_blocks.contains(event.address)) {
        ++m_repairs.leftOut;
        return;
    }
    finish(event.address, event.timeNs);
}

// It is represented as a block that existed from the beginning. That is impossible in a segment whose begin was
// recorded, or if the trace began with fewer bytes.
void AllocatorReplay::adoptBlockHeldBefore(const AllocatorEvent& event)
{
    if (event.bytes > m_heldBefore || holdsSegmentOrBlock(event.address, event.bytes))
        return;
    m_heldBefore -= event.bytes;
    m_segments.emplace(event.address, Segment{event.bytes, event.stream, SegmentKind::OfOneBlock});
    m_blocks.emplace(event.address, Block{event.bytes, event.requestedBytes, event.stream, event.owner, event.timeNs});
    m_hasOwnSegments = true;
    ++m_repairs.heldBefore;
}

void AllocatorReplay::relabel(const AllocatorEvent& event)
{
    if (const auto found = m_blocks.find(event.address); found != m_blocks.end())
        found->second.owner = event.owner;
}

void AllocatorReplay::addSegment(const AllocatorEvent& event)
{
    clear(event.address, event.bytes, event.timeNs);
    const Segment segment{event.bytes, event.stream, SegmentKind::Plain};
    m_segments.emplace(event.address, segment);
    tellSegment(Action::SegmentAlloc, event.timeNs, event.address, segment);
}

void AllocatorReplay::removeSegment(const AllocatorEvent& event)
{
    const auto found = m_segments.find(event.address);
    if (found == m_segments.end() || found->second.kind != SegmentKind::Plain || found->second.bytes != event.bytes) {
        ++m_repairs.leftOut;
        return;
    }
    clear(event.address, event.bytes, event.timeNs);
}

// Adjacent ranges are one segment, as in PyTorch's snapshots; viewers replay them that way.
void AllocatorReplay::mapRange(const AllocatorEvent& event)
{
    clear(event.address, event.bytes, event.timeNs);
    std::uint64_t begin = event.address;
    Segment whole{event.bytes, event.stream, SegmentKind::Expandable};
    tellSegment(Action::SegmentMap, event.timeNs, begin, whole);
    const auto touches = [&](Segments::iterator other) {
        return other->second.kind == SegmentKind::Expandable && other->second.stream == event.stream;
    };
    if (const auto next = m_segments.find(endOf(begin, whole.bytes)); next != m_segments.end() && touches(next)) {
        whole.bytes += next->second.bytes;
        m_segments.erase(next);
    }
    if (const auto next = m_segments.lower_bound(begin); next != m_segments.begin()) {
        const auto before = std::prev(next);
        if (touches(before) && endOf(before->first, before->second.bytes) == begin) {
            whole.bytes += before->second.bytes;
            begin = before->first;
        }
    }
    m_segments.insert_or_assign(begin, whole);
    m_hasExpandableSegments = true;
}

void AllocatorReplay::unmapRange(const AllocatorEvent& event)
{
    const auto found = segmentAround(event.address, event.bytes);
    if (found == m_segments.end() || found->second.kind != SegmentKind::Expandable) {
        ++m_repairs.leftOut;
        return;
    }
    clearBlocks(event.address, event.bytes, event.timeNs);
    const auto [begin, whole] = *found;
    const std::uint64_t end = endOf(event.address, event.bytes);
    m_segments.erase(found);
    if (begin < event.address)
        m_segments.emplace(
            begin, Segment{static_cast<Bytes>(event.address - begin), whole.stream, SegmentKind::Expandable});
    if (end < endOf(begin, whole.bytes))
        m_segments.emplace(
            end, Segment{static_cast<Bytes>(endOf(begin, whole.bytes) - end), whole.stream, SegmentKind::Expandable});
    tellSegment(
        Action::SegmentUnmap, event.timeNs, event.address, {event.bytes, whole.stream, SegmentKind::Expandable});
}

bool AllocatorReplay::holdsSegmentOrBlock(std::uint64_t address, Bytes bytes) const
{
    const std::uint64_t end = endOf(address, bytes);
    const auto segment = firstReaching(m_segments, address);
    const auto block = firstReaching(m_blocks, address);
    return (segment != m_segments.end() && segment->first < end) || (block != m_blocks.end() && block->first < end);
}

AllocatorReplay::Segments::iterator AllocatorReplay::segmentAround(std::uint64_t address, Bytes bytes)
{
    const auto found = firstReaching(m_segments, address);
    const bool holds = found != m_segments.end() && found->first <= address
        && endOf(address, bytes) <= endOf(found->first, found->second.bytes);
    return holds ? found : m_segments.end();
}

void AllocatorReplay::clear(std::uint64_t address, Bytes bytes, std::int64_t timeNs)
{
    clearBlocks(address, bytes, timeNs);
    clearSegments(address, bytes, timeNs);
}

// Memory that is allocated again must have been freed, whether or not the free was recorded.
void AllocatorReplay::clearBlocks(std::uint64_t address, Bytes bytes, std::int64_t timeNs)
{
    const std::uint64_t end = endOf(address, bytes);
    for (auto block = firstReaching(m_blocks, address); block != m_blocks.end() && block->first < end;
        block = firstReaching(m_blocks, address)) {
        ++m_repairs.addedFrees;
        finish(block->first, timeNs);
    }
}

void AllocatorReplay::clearSegments(std::uint64_t address, Bytes bytes, std::int64_t timeNs)
{
    const std::uint64_t end = endOf(address, bytes);
    for (auto found = firstReaching(m_segments, address); found != m_segments.end() && found->first < end;
        found = firstReaching(m_segments, address)) {
        const auto [begin, segment] = *found;
        clearBlocks(begin, segment.bytes, timeNs);
        m_segments.erase(begin);
        tellSegment(segment.kind == SegmentKind::Expandable ? Action::SegmentUnmap : Action::SegmentFree, timeNs, begin,
            segment);
    }
}

// A block's own segment is freed with it.
void AllocatorReplay::finish(std::uint64_t address, std::int64_t timeNs)
{
    Block block = m_blocks.at(address);
    if (!block.isFreeRequested)
        tell(Action::FreeRequested, timeNs, address, block);
    tell(Action::FreeCompleted, timeNs, address, block);
    m_blocks.erase(address);
    const auto own = m_segments.find(address);
    if (own == m_segments.end() || own->second.kind != SegmentKind::OfOneBlock)
        return;
    const Segment segment = own->second;
    m_segments.erase(own);
    tellSegment(Action::SegmentFree, timeNs, address, segment);
}

void AllocatorReplay::tell(Action action, std::int64_t timeNs, std::uint64_t address, const Block& block)
{
    m_listener({timeNs, address, block.bytes, block.requestedBytes, block.stream, action, block.owner});
}

void AllocatorReplay::tellSegment(Action action, std::int64_t timeNs, std::uint64_t address, const Segment& segment)
{
    m_listener({timeNs, address, segment.bytes, segment.bytes, segment.stream, action});
}

} // namespace headroom::interchange
