// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/rules/SortRules.h"

#include "profiling/simulator/rules/CeilDivide.h"

#include <algorithm>

namespace headroom::simulator {
namespace {

// Tunings are defined for items of 4 bytes (cub/util_arch.cuh, RegBoundScaling). Block sizes are the same for items of
// 4 and 8 bytes.
std::int64_t itemsPerThread(std::int64_t ofFourBytes, const SortedPairs& pairs)
{
    constexpr Bytes kWord = 4;
    return std::max<std::int64_t>(1, ofFourBytes * kWord / std::max(pairs.keyBytes, pairs.valueBytes));
}

// The number of pairs that one block sorts by itself.
std::int64_t singleTile(const SortedPairs& pairs)
{
    return 256 * itemsPerThread(19, pairs);
}

std::int64_t itemsOfAmpere(const SortedPairs& pairs)
{
    return pairs.keyBytes == 4 ? 17 : 21;
}

std::int64_t itemsFromHopper(const SortedPairs& pairs)
{
    if (pairs.keyBytes == 4)
        return pairs.valueBytes < 8 ? 17 : 29;
    return pairs.valueBytes < 8 ? 30 : 24;
}

// LibTorch passes item counts in 64 bits.
std::int64_t sweepTile(const SortedPairs& pairs, ComputeCapability capability)
{
    if (capability < ComputeCapability{8, 0})
        return 256 * itemsPerThread(pairs.keyBytes == 4 && pairs.valueBytes == 4 ? 46 : 23, pairs);
    const bool isHopper = !(capability < ComputeCapability{9, 0});
    return 384 * itemsPerThread(isHopper ? itemsFromHopper(pairs) : itemsOfAmpere(pairs), pairs);
}

// cub/util_temporary_storage.cuh, AliasTemporaries
constexpr Bytes kAlignment = 256;

Bytes aligned(Bytes bytes)
{
    return roundUp(bytes, kAlignment);
}

Bytes sweepScratch(const SortedPairs& pairs, std::int64_t tile)
{
    constexpr std::int64_t kRadixBits = 8, kDigits = 256;
    constexpr Bytes kOffset = 8, kCounter = 4;
    const std::int64_t portion = ((std::int64_t{1} << 28) - 1) / tile * tile;
    const std::int64_t passes = ceilDivide(pairs.keyBits, kRadixBits);
    const std::int64_t counters = ceilDivide(pairs.count, portion) * passes;
    const std::int64_t blocks = ceilDivide(std::min(pairs.count, portion), tile);
    const std::int64_t inBetween = passes > 1 ? pairs.count : 0; // what one pass leaves for the next
    return aligned(counters * kDigits * kOffset) + aligned(blocks * kDigits * kCounter)
        + aligned(inBetween * pairs.keyBytes) + aligned(inBetween * pairs.valueBytes) + aligned(counters * kCounter)
        + kAlignment - 1;
}

std::int64_t uniqueTile(ComputeCapability capability)
{
    if (capability >= ComputeCapability{10, 0})
        return 3840;
    if (capability >= ComputeCapability{9, 0})
        return 4480;
    return capability == ComputeCapability{8, 0} ? 1792 : 320;
}

// A state for each tile and for 32 before the first, and what is passed between two launches.
Bytes tileStates(std::int64_t tiles)
{
    constexpr std::int64_t kBefore = 32;
    constexpr Bytes kState = 16;
    return aligned((tiles + kBefore) * kState) + kAlignment + kAlignment - 1;
}

} // namespace

Bytes uniqueScratch(std::int64_t count, ComputeCapability capability)
{
    return tileStates(ceilDivide(count, uniqueTile(capability)));
}

Bytes scanScratch(std::int64_t count)
{
    constexpr std::int64_t kTile = 896;
    return tileStates(ceilDivide(count, kTile));
}

Bytes sortScratch(const SortedPairs& pairs, ComputeCapability capability)
{
    if (pairs.count <= singleTile(pairs))
        return 1;
    return sweepScratch(pairs, sweepTile(pairs, capability));
}

std::int64_t bitsOf(std::int64_t largest)
{
    std::int64_t bits = 1;
    for (; largest > 1; largest >>= 1)
        ++bits;
    return bits;
}

} // namespace headroom::simulator
