// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/AllocatorSettings.h"

#include <bit>

namespace headroom::simulator {

namespace {

int log2Floor(Bytes bytes)
{
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(bytes))) - 1;
}

Bytes roundUpToDivision(Bytes bytes, int divisions)
{
    if (std::has_single_bit(static_cast<std::uint64_t>(bytes)))
        return bytes;
    const Bytes powerBelow = Bytes{1} << log2Floor(bytes);
    return roundUp(bytes, powerBelow / divisions);
}

} // namespace

int AllocatorSettings::divisionsFor(Bytes requestedBytes) const
{
    constexpr int kFirstInterval = 20; // 1 MiB
    const int interval = log2Floor(std::max(requestedBytes, Bytes{1})) - kFirstInterval;
    return roundupPower2Divisions[static_cast<std::size_t>(
        std::clamp(interval, 0, static_cast<int>(kDivisionIntervals) - 1))];
}

Bytes AllocatorSettings::roundedBytes(Bytes requestedBytes) const
{
    if (requestedBytes < kMinBlockBytes)
        return kMinBlockBytes;
    const int divisions = divisionsFor(requestedBytes);
    if (divisions > 1 && requestedBytes > kMinBlockBytes * divisions)
        return roundUpToDivision(requestedBytes, divisions);
    return roundUp(requestedBytes, kMinBlockBytes);
}

Bytes AllocatorSettings::segmentBytes(Bytes roundedBytes) const
{
    if (roundedBytes <= kSmallBytes)
        return kSmallSegmentBytes;
    if (roundedBytes < kMinLargeBytes)
        return largeSegmentBytes;
    return roundUp(roundedBytes, kLargeRoundingBytes);
}

bool AllocatorSettings::splits(Bytes freeBytes, Bytes roundedBytes) const
{
    const Bytes remainder = freeBytes - roundedBytes;
    if (poolFor(roundedBytes) == PoolKind::Small || isExpandable())
        return remainder >= kMinBlockBytes;
    return roundedBytes < maxSplitBytes && remainder > kSmallBytes;
}

} // namespace headroom::simulator
