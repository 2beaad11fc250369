// SPDX-License-Identifier: Apache-2.0
#include "profiling/recordings/Recording.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace headroom::recordings {

Bytes DeviceRecording::reservedBefore() const
{
    Bytes reserved = 0;
    for (const RecordedSegment& segment : before)
        reserved += segment.bytes;
    return reserved;
}

Bytes DeviceRecording::peakReservedBytes() const
{
    Bytes reserved = reservedBefore();
    Bytes peak = reserved;
    for (const RecordedEvent& event : events) {
        reserved += reservedChangeOf(event);
        peak = std::max(peak, reserved);
    }
    return peak;
}

bool DeviceRecording::isExpandable() const
{
    return std::ranges::any_of(before, &RecordedSegment::isExpandable)
        || std::ranges::any_of(events, [](const auto& event) { return event.kind == EventKind::SegmentMap; });
}

simulator::AllocatorSettings Recording::settings() const
{
    return simulator::parseAllocatorSettings(allocator, "the recording's allocator settings");
}

int deviceNumber(std::int64_t number)
{
    if (number < 0 || number > kMostDeviceNumber)
        throw std::length_error("a device with the number " + std::to_string(number) + " (at most "
            + std::to_string(kMostDeviceNumber) + ")");
    return static_cast<int>(number);
}

config::SegmentAddresses platformOf(const DeviceRecording& recording)
{
    constexpr Address kNearTheEnd = Address{1} << 46;
    const auto isNear = [](const auto& place) { return place.address > kNearTheEnd; };
    const bool isAnyNear = std::ranges::any_of(recording.before, isNear)
        || std::ranges::any_of(recording.events, [&](const RecordedEvent& event) {
               return (event.kind == EventKind::SegmentAlloc || event.kind == EventKind::SegmentMap
                          || event.kind == EventKind::Alloc)
                   && isNear(event);
           });
    return isAnyNear ? config::SegmentAddresses::Linux : config::SegmentAddresses::Ascending;
}

} // namespace headroom::recordings
