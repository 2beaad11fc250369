// SPDX-License-Identifier: Apache-2.0
#include "profiling/recordings/TracedEvents.h"

#include <algorithm>
#include <map>
#include <utility>

namespace headroom::recordings {
namespace {

using trace::Action;
using trace::AllocatorEvent;

Action actionOf(EventKind kind)
{
    return static_cast<Action>(kind); // the same names in the same order
}

static_assert(static_cast<int>(Action::OutOfMemory) == static_cast<int>(EventKind::OutOfMemory));
static_assert(static_cast<int>(Action::Relabelled) == static_cast<int>(EventKind::Relabelled));
static_assert(static_cast<int>(Action::SegmentMap) == static_cast<int>(EventKind::SegmentMap));

AllocatorEvent eventOf(const RecordedEvent& event)
{
    return {event.timeNs, event.address, isOfBlock(event.kind) ? event.blockBytes : event.bytes, event.bytes,
        event.stream, actionOf(event.kind), event.owner, event.previousOwner};
}

Bytes freeBytesOf(const RecordedSegment& segment)
{
    Bytes bytes = 0;
    for (const RecordedBlock& block : segment.blocks)
        bytes += block.isLive ? 0 : block.bytes;
    return bytes;
}

// Segments with the most free memory come last, so that on the way to the state hardly more is unused than in it.
std::vector<AllocatorEvent> eventsBefore(const DeviceRecording& recording)
{
    std::vector<const RecordedSegment*> segments;
    for (const RecordedSegment& segment : recording.before)
        segments.push_back(&segment);
    std::ranges::stable_sort(segments, {}, [](const RecordedSegment* segment) { return freeBytesOf(*segment); });
    std::vector<AllocatorEvent> events;
    for (const RecordedSegment* segment : segments) {
        if (recording.hasSegments)
            events.push_back({kBeforeNs, segment->address, segment->bytes, segment->bytes, segment->stream,
                segment->isExpandable ? Action::SegmentMap : Action::SegmentAlloc});
        for (const RecordedBlock& block : segment->blocks) {
            if (!block.isLive)
                continue;
            events.push_back({kBeforeNs, block.address, block.bytes, block.requestedBytes, segment->stream,
                Action::Alloc, block.owner});
            if (block.isPending) {
                events.push_back(events.back());
                events.back().action = Action::FreeRequested;
            }
        }
    }
    return events;
}

/// The segments and blocks that events have made.
class StartBuilder {
public:
    void apply(const AllocatorEvent& event)
    {
        switch (event.action) {
        case Action::SegmentAlloc:
        case Action::SegmentMap:
            m_segments[event.address] = {
                event.address, event.bytes, event.stream, PoolKind::Large, event.action == Action::SegmentMap, {}};
            break;
        case Action::SegmentFree:
            m_segments.erase(event.address);
            break;
        case Action::Alloc:
            m_blocks[event.address] = {event.address, event.bytes, event.requestedBytes, true, false, event.owner};
            break;
        case Action::FreeRequested:
            if (const auto found = m_blocks.find(event.address); found != m_blocks.end())
                found->second.isPending = true;
            break;
        case Action::FreeCompleted:
            m_blocks.erase(event.address);
            break;
        default:
            break;
        }
    }

    std::vector<RecordedSegment> segments()
    {
        std::vector<RecordedSegment> result;
        for (auto& [address, segment] : m_segments) {
            tile(segment);
            result.push_back(std::move(segment));
        }
        if (m_segments.empty()) // only blocks were recorded: each is its own
            for (const auto& [address, block] : m_blocks)
                result.push_back({address, block.bytes, simulator::kDefaultStream, PoolKind::Large, false, {block}});
        return result;
    }

    bool hasSegments() const { return !m_segments.empty(); }

private:
    // Small blocks lie in segments of their own: one block tells the pool of all, an empty one its size.
    void tile(RecordedSegment& segment) const
    {
        const Address end = segment.address + static_cast<Address>(segment.bytes);
        Address at = segment.address;
        bool isSmall = segment.bytes == simulator::kSmallSegmentBytes || segment.isExpandable;
        bool hasBlocks = false;
        for (auto block = m_blocks.lower_bound(segment.address); block != m_blocks.end() && block->first < end;
            ++block) {
            if (block->first > at)
                segment.blocks.push_back({at, static_cast<Bytes>(block->first - at)});
            segment.blocks.push_back(block->second);
            isSmall = isSmall && block->second.requestedBytes <= simulator::kSmallBytes;
            hasBlocks = true;
            at = block->first + static_cast<Address>(block->second.bytes);
        }
        if (end > at)
            segment.blocks.push_back({at, static_cast<Bytes>(end - at)});
        if (!hasBlocks && segment.isExpandable)
            isSmall = segment.bytes % simulator::kDefaultLargeSegmentBytes != 0;
        segment.pool = isSmall ? PoolKind::Small : PoolKind::Large;
    }

    std::map<Address, RecordedSegment> m_segments;
    std::map<Address, RecordedBlock> m_blocks;
};

} // namespace

void eachTracedEvent(
    const DeviceRecording& recording, const std::function<void(std::span<const AllocatorEvent>)>& visit)
{
    constexpr std::size_t kPiece = 8192;
    visit(eventsBefore(recording));
    std::vector<AllocatorEvent> piece;
    piece.reserve(kPiece);
    for (const RecordedEvent& event : recording.events) {
        piece.push_back(eventOf(event));
        if (piece.size() == kPiece) {
            visit(piece);
            piece.clear();
        }
    }
    visit(piece);
}

void RecordedTraceBuilder::add(const trace::MemoryCounters& before, std::span<const AllocatorEvent> events)
{
    if (!std::exchange(m_hasBegun, true))
        m_recording.heldBefore = before;
    for (const AllocatorEvent& event : events) {
        if (event.timeNs < 0) {
            m_before.push_back(event);
            continue;
        }
        const auto kind = static_cast<EventKind>(event.action);
        m_recording.events.push_back({event.address, isOfBlock(kind) ? event.requestedBytes : event.bytes,
            isOfBlock(kind) ? event.bytes : 0, event.timeNs, event.stream, event.owner, kind, 0, event.previousOwner});
    }
}

DeviceRecording RecordedTraceBuilder::take()
{
    StartBuilder start;
    for (const AllocatorEvent& event : m_before)
        start.apply(event);
    m_recording.before = start.segments();
    m_recording.hasSegments =
        start.hasSegments() || std::ranges::any_of(m_recording.events, [](const RecordedEvent& event) {
            return event.kind == EventKind::SegmentAlloc || event.kind == EventKind::SegmentMap;
        });
    return std::move(m_recording);
}

} // namespace headroom::recordings
