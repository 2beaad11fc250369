// SPDX-License-Identifier: Apache-2.0
#include "profiling/recordings/PrivatePools.h"

#include <algorithm>
#include <map>

namespace headroom::recordings {
namespace {

struct PrivateRange {
    Address end = 0;
    std::uint16_t pool = 0;
};

using PrivateRanges = std::map<Address, PrivateRange>;

// The range that holds an address; end() if it is in none.
PrivateRanges::iterator rangeOf(PrivateRanges& ranges, Address address)
{
    const auto next = ranges.upper_bound(address);
    if (next == ranges.begin())
        return ranges.end();
    const auto found = std::prev(next);
    return address < found->second.end ? found : ranges.end();
}

} // namespace

// Backward: before the event that took a segment its addresses belong to no pool.
void findPrivatePools(DeviceRecording& recording, const std::vector<RecordedSegment>& final)
{
    PrivateRanges ranges;
    for (const RecordedSegment& segment : final)
        if (segment.privatePool != 0)
            ranges[segment.address] = {segment.address + static_cast<Address>(segment.bytes), segment.privatePool};
    if (ranges.empty())
        return;
    for (auto event = recording.events.rbegin(); event != recording.events.rend(); ++event) {
        const auto range = event->kind == EventKind::OutOfMemory ? ranges.end() : rangeOf(ranges, event->address);
        if (range == ranges.end())
            continue;
        event->privatePool = range->second.pool;
        if (event->kind == EventKind::SegmentAlloc && event->address == range->first)
            ranges.erase(range);
    }
}

} // namespace headroom::recordings
