// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "profiling/simulator/DeviceStats.h"

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace headroom::simulator {

/// Fixed sizes of PyTorch's CUDA caching allocator (c10/core/AllocatorConfig.h, c10/cuda/CUDACachingAllocator.cpp).
inline constexpr Bytes kMinBlockBytes = 512;
inline constexpr Bytes kSmallBytes = kMiB; ///< the largest block of the small pool
inline constexpr Bytes kSmallSegmentBytes = 2 * kMiB;
inline constexpr Bytes kMinLargeBytes = 10 * kMiB; ///< from this size on a segment fits its request
inline constexpr Bytes kLargeRoundingBytes = 2 * kMiB;
inline constexpr Bytes kDefaultLargeSegmentBytes = 20 * kMiB;
inline constexpr Bytes kUnlimitedSplit = std::numeric_limits<Bytes>::max();

enum class SegmentGrowth : std::uint8_t { Fixed, Expandable };

/// throw_on_cudamalloc_oom: reject a request beyond the memory fraction at once, or flush the cache and retry.
enum class FractionPolicy : std::uint8_t { Retry, Reject };

/// The settings of PYTORCH_ALLOC_CONF that affect memory. Defaults are PyTorch's.
struct AllocatorSettings {
    /// One division count per interval: [1 MiB, 2 MiB) and below, [2 MiB, 4 MiB), ..., 32 GiB and above.
    static constexpr std::size_t kDivisionIntervals = 16;

    Bytes maxSplitBytes = kUnlimitedSplit;
    Bytes maxNonSplitRoundingBytes = kDefaultLargeSegmentBytes;
    Bytes largeSegmentBytes = kDefaultLargeSegmentBytes;
    double garbageCollectionThreshold = 0.0; ///< of the memory fraction; 0: off
    std::optional<double> memoryFraction;
    SegmentGrowth growth = SegmentGrowth::Fixed;
    FractionPolicy fractionPolicy = FractionPolicy::Retry;
    std::array<int, kDivisionIntervals> roundupPower2Divisions{}; ///< 0 or a power of two

    bool isExpandable() const { return growth == SegmentGrowth::Expandable; }
    int divisionsFor(Bytes requestedBytes) const;

    /// The block size for a request: a multiple of 512, or the next of the interval's equal steps between two powers of
    /// two.
    Bytes roundedBytes(Bytes requestedBytes) const;

    /// The size requested from the device when a block of `roundedBytes` needs new memory.
    Bytes segmentBytes(Bytes roundedBytes) const;

    /// Whether a request of `roundedBytes` gets the front of a free block of `freeBytes`, so that the rest stays free.
    bool splits(Bytes freeBytes, Bytes roundedBytes) const;

    /// The physical page size of an expandable segment.
    Bytes pageBytes(PoolKind pool) const { return pool == PoolKind::Small ? kSmallSegmentBytes : largeSegmentBytes; }

    bool operator==(const AllocatorSettings&) const = default;
};

constexpr PoolKind poolFor(Bytes roundedBytes)
{
    return roundedBytes <= kSmallBytes ? PoolKind::Small : PoolKind::Large;
}

/// Who follows the settings.
enum class AllocatorOwner : std::uint8_t {
    Simulator,
    Cuda, ///< LibTorch's own allocator, as of 2.11 (its parser has no throw_on_cudamalloc_oom)
};

/// Parses the value of PYTORCH_ALLOC_CONF: "key:value,key:value", a list as "[256:1,512:2,>:8]".
/// Throws UsageError (naming key, value and what is valid) for anything unknown to `owner` and for values that PyTorch
/// rejects. The simulator does not model backend:cudaMallocAsync and pinned_reserve_segment_size_mb: on CUDA they are
/// valid, but no part of the result. `where` is the location of the text, for messages; settings that the text does not
/// name keep their values in `defaults`.
AllocatorSettings parseAllocatorSettings(std::string_view text, const std::string& where = "PYTORCH_ALLOC_CONF",
    const AllocatorSettings& defaults = {}, AllocatorOwner owner = AllocatorOwner::Simulator);

} // namespace headroom::simulator
