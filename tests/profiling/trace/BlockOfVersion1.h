// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/AllocatorEvent.h"

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::trace {

/// The bytes that the first version of the format made of eventsOfVersion1(), kept as they were.
inline constexpr std::string_view kBlockOfVersion1 =
    "48454231010006000900000074000000e803000000000000ffffffffffffff7f0a0000000000000014000000000000001e0000000000"
    "00000a000000000000000a06000000000000140020000000008014006001000000001e000000000000001e0600000000000009000000"
    "130000001f000000240000000d00000008000000031008191205060f1cd00f14141d32141414b6efffffffffffffff018080808080c0"
    "3f008010ff0f00ffffffffff3f00d5cba18affff3eabb4de758080800280108008801080108080801480808014fe9fb787e905ffffff"
    "ffffffffffff012f2f2ff1ffffffffffffffff01060001ffffffff0f60b6c316";

inline std::vector<std::byte> blockOfVersion1()
{
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i < kBlockOfVersion1.size(); i += 2)
        bytes.push_back(static_cast<std::byte>(std::stoi(std::string(kBlockOfVersion1.substr(i, 2)), nullptr, 16)));
    return bytes;
}

/// With counters of 10, 20 and 30 before the first.
inline std::vector<AllocatorEvent> eventsOfVersion1()
{
    constexpr Bytes kPages = 20'971'520;
    constexpr std::uint64_t kSegment = 0x7f0000000000;
    constexpr std::uint64_t kExpandable = 0x7e0000000000;
    using Limits = std::numeric_limits<std::int64_t>;
    return {{1'000, kSegment, 2'097'152, 2'097'152, 0, Action::SegmentAlloc},
        {1'010, kSegment, 1'024, 1'000, 0, Action::Alloc}, {1'020, kSegment + 1'024, 512, 512, 3, Action::Alloc},
        {1'005, kSegment, 1'024, 1'000, 0, Action::FreeRequested},
        {1'030, kSegment, 1'024, 1'000, 0, Action::FreeCompleted},
        {1'040, kExpandable, kPages, kPages, 0, Action::SegmentMap},
        {1'050, kExpandable, kPages, kPages, 0, Action::SegmentUnmap},
        {1'060, 123'456'789, 99'999'999'999, 99'999'999'999, -1, Action::OutOfMemory},
        {Limits::max(), ~std::uint64_t{0}, Limits::min(), 7, std::numeric_limits<std::int32_t>::min(),
            Action::SegmentFree}};
}

} // namespace headroom::trace
