// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/AllocatorSnapshot.h"

namespace headroom::simulator {
namespace {

using trace::Action;
using trace::AllocatorEvent;

Action beginOf(const SegmentSnapshot& segment)
{
    return segment.kind == SegmentKind::Expandable ? Action::SegmentMap : Action::SegmentAlloc;
}

void addBlocks(
    const AllocatorSnapshot& snapshot, BlockState state, std::int64_t timeNs, std::vector<AllocatorEvent>& events)
{
    for (const SegmentSnapshot& segment : snapshot.segments)
        for (const BlockSnapshot& block : segment.blocks) {
            if (block.state != state)
                continue;
            AllocatorEvent event{
                timeNs, block.address, block.bytes, block.requestedBytes, segment.stream, Action::Alloc};
            events.push_back(event);
            event.action = Action::FreeRequested;
            if (state == BlockState::ActivePendingFree)
                events.push_back(event);
        }
}

} // namespace

std::vector<AllocatorEvent> livingEvents(const AllocatorSnapshot& snapshot, std::int64_t timeNs)
{
    std::vector<AllocatorEvent> events;
    for (const SegmentSnapshot& segment : snapshot.segments)
        events.push_back(
            {timeNs, segment.address, segment.totalBytes, segment.totalBytes, segment.stream, beginOf(segment)});
    addBlocks(snapshot, BlockState::ActivePendingFree, timeNs, events);
    addBlocks(snapshot, BlockState::ActiveAllocated, timeNs, events);
    return events;
}

} // namespace headroom::simulator
