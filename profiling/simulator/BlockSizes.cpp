// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/BlockSizes.h"

#include <algorithm>
#include <iterator>

namespace headroom::simulator {
namespace {

using trace::Action;

Address endOfBytes(Address address, Bytes bytes)
{
    return address + static_cast<Address>(bytes);
}

// The last entry that begins at or below the address; end() if there is none.
template <typename Map> auto lastUpTo(Map& map, Address address)
{
    const auto next = map.upper_bound(address);
    return next == map.begin() ? map.end() : std::prev(next);
}

} // namespace

BlockSizes::BlockSizes(const AllocatorSettings& settings)
    : m_settings(settings)
{
}

void BlockSizes::adopt(const trace::AllocatorEvent& living)
{
    if (living.action == Action::Alloc)
        m_blocks.insert_or_assign(living.address, living.bytes);
    else
        follow(living);
}

trace::AllocatorEvent BlockSizes::sized(const trace::AllocatorEvent& told)
{
    trace::AllocatorEvent event = told;
    if (told.action == Action::Alloc)
        event.bytes = sizeOfNew(told.address, told.requestedBytes);
    else if (told.action == Action::FreeRequested || told.action == Action::FreeCompleted)
        event.bytes = sizeOfKnown(told.address, told.requestedBytes);
    follow(event);
    return event;
}

Bytes BlockSizes::sizeOfNew(Address address, Bytes requestedBytes)
{
    const Bytes rounded = m_settings.roundedBytes(requestedBytes);
    const Bytes room = roomAt(address);
    const bool fits = room >= rounded;
    const Bytes bytes = fits && !m_settings.splits(room, rounded) ? room : rounded;
    if (!fits) {
        ++m_misfits;
        removeBlocks(address, endOfBytes(address, bytes)); // they must have been freed
    }
    m_blocks.insert_or_assign(address, bytes);
    return bytes;
}

Bytes BlockSizes::sizeOfKnown(Address address, Bytes requestedBytes) const
{
    const auto block = m_blocks.find(address);
    return block == m_blocks.end() ? m_settings.roundedBytes(requestedBytes) : block->second;
}

// The size of the free block that begins there; 0 if that is in no segment, or in a block that is in use.
Bytes BlockSizes::roomAt(Address address) const
{
    Address end = endOfMapped(address);
    const auto next = m_blocks.lower_bound(address);
    if (next != m_blocks.begin()) {
        const auto& [before, bytes] = *std::prev(next);
        if (endOfBytes(before, bytes) > address)
            return 0;
    }
    if (next != m_blocks.end())
        end = std::min(end, next->first);
    return static_cast<Bytes>(end - std::min(address, end));
}

// The end of the segment around the address; the address itself if there is none.
Address BlockSizes::endOfMapped(Address address) const
{
    auto segment = lastUpTo(m_segments, address);
    if (segment == m_segments.end() || endOfBytes(segment->first, segment->second.bytes) <= address)
        return address;
    Address end = endOfBytes(segment->first, segment->second.bytes);
    if (!segment->second.isExpandable)
        return end;
    for (++segment; segment != m_segments.end() && segment->second.isExpandable && segment->first == end; ++segment)
        end = endOfBytes(segment->first, segment->second.bytes);
    return end;
}

void BlockSizes::follow(const trace::AllocatorEvent& event)
{
    switch (event.action) {
    case Action::SegmentAlloc:
    case Action::SegmentMap:
        removeMemory(event.address, event.bytes); // nothing is there unless events were lost
        m_segments.emplace(event.address, Segment{event.bytes, event.action == Action::SegmentMap});
        break;
    case Action::SegmentFree:
    case Action::SegmentUnmap:
        removeMemory(event.address, event.bytes);
        break;
    case Action::FreeCompleted:
        m_blocks.erase(event.address);
        break;
    case Action::Alloc:
    case Action::FreeRequested:
    case Action::OutOfMemory:
    case Action::Relabelled:
        break;
    }
}

// What lies on either side of it in the same stretch stays.
void BlockSizes::removeMemory(Address begin, Bytes bytes)
{
    const Address end = endOfBytes(begin, bytes);
    auto segment = lastUpTo(m_segments, begin);
    if (segment == m_segments.end())
        segment = m_segments.begin();
    while (segment != m_segments.end() && segment->first < end) {
        const auto [address, whole] = *segment;
        const Address segmentEnd = endOfBytes(address, whole.bytes);
        if (segmentEnd <= begin) {
            ++segment;
            continue;
        }
        segment = m_segments.erase(segment);
        if (address < begin)
            m_segments.emplace(address, Segment{static_cast<Bytes>(begin - address), whole.isExpandable});
        if (segmentEnd > end)
            m_segments.emplace(end, Segment{static_cast<Bytes>(segmentEnd - end), whole.isExpandable});
    }
    removeBlocks(begin, end);
}

void BlockSizes::removeBlocks(Address begin, Address end)
{
    auto block = lastUpTo(m_blocks, begin);
    if (block == m_blocks.end() || endOfBytes(block->first, block->second) <= begin)
        block = m_blocks.lower_bound(begin);
    m_blocks.erase(block, m_blocks.lower_bound(end));
}

} // namespace headroom::simulator
