// SPDX-License-Identifier: Apache-2.0
#include "profiling/recordings/StartState.h"

#include "profiling/recordings/PrivatePools.h"

#include <algorithm>
#include <map>

namespace headroom::recordings {
namespace {

using RangeKey = std::pair<Stream, PoolKind>;

simulator::BlockState stateOf(const RecordedBlock& block)
{
    return block.isLive ? simulator::BlockState::ActiveAllocated : simulator::BlockState::Inactive;
}

// Small pools grow by one page at a time.
PoolKind poolOfPages(Bytes bytes)
{
    return bytes == simulator::kSmallSegmentBytes ? PoolKind::Small : PoolKind::Large;
}

/// Ranges of different pools and streams lie further apart than the pages of one.
constexpr Address kMostWithinRange = Address{1} << 38;

} // namespace

simulator::AllocatorSnapshot snapshotOf(const std::vector<RecordedSegment>& segments)
{
    simulator::AllocatorSnapshot snapshot;
    for (const RecordedSegment& segment : segments) {
        simulator::SegmentSnapshot made;
        made.address = segment.address;
        made.totalBytes = segment.bytes;
        made.stream = streamIn(segment.privatePool, segment.stream);
        made.pool = segment.pool;
        made.kind = segment.isExpandable ? simulator::SegmentKind::Expandable : simulator::SegmentKind::Plain;
        for (const RecordedBlock& block : segment.blocks)
            made.blocks.push_back(
                {block.address, block.bytes, block.isLive ? block.requestedBytes : 0, stateOf(block)});
        snapshot.segments.push_back(std::move(made));
    }
    return snapshot;
}

std::vector<Address> rangeBeginsOf(const DeviceRecording& recording)
{
    std::map<RangeKey, Address> begins;
    for (const RecordedSegment& segment : recording.before)
        if (segment.isExpandable)
            begins.emplace(RangeKey{streamIn(segment.privatePool, segment.stream), segment.pool}, segment.address);
    for (const RecordedEvent& event : recording.events) {
        if (event.kind != EventKind::SegmentMap)
            continue;
        const auto found = begins.find({streamIn(event.privatePool, event.stream), poolOfPages(event.bytes)});
        if (found != begins.end() && event.address < found->second && found->second - event.address < kMostWithinRange)
            found->second = event.address;
    }
    std::vector<Address> sorted;
    for (const auto& [key, begin] : begins)
        sorted.push_back(begin);
    std::ranges::sort(sorted);
    return sorted;
}

} // namespace headroom::recordings
