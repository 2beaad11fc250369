// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace headroom::simulator {

/// One quantity over time. `allocated` and `freed` are historical sums: current = allocated - freed.
struct Stat {
    std::int64_t current = 0;
    std::int64_t peak = 0;
    std::int64_t allocated = 0;
    std::int64_t freed = 0;

    void increase(std::int64_t amount)
    {
        current += amount;
        allocated += amount;
        peak = std::max(peak, current);
    }
    void decrease(std::int64_t amount)
    {
        current -= amount;
        freed += amount;
    }
    void resetPeak() { peak = current; }

    bool operator==(const Stat&) const = default;
};

/// Blocks of at most 1 MiB and larger ones have separate pools.
enum class PoolKind : std::uint8_t { Small, Large };

/// A quantity for the whole device and for each kind of pool.
struct StatArray {
    Stat aggregate;
    Stat small;
    Stat large;

    Stat& of(PoolKind kind) { return kind == PoolKind::Small ? small : large; }
    void increase(PoolKind kind, std::int64_t amount)
    {
        aggregate.increase(amount);
        of(kind).increase(amount);
    }
    void decrease(PoolKind kind, std::int64_t amount)
    {
        aggregate.decrease(amount);
        of(kind).decrease(amount);
    }
    void resetPeak()
    {
        aggregate.resetPeak();
        small.resetPeak();
        large.resetPeak();
    }

    bool operator==(const StatArray&) const = default;
};

/// PyTorch's statistics of one device, under PyTorch's names (c10/core/CachingDeviceAllocator.h, DeviceStats).
struct DeviceStats {
    StatArray allocation; ///< blocks handed out
    StatArray segment; ///< device allocations; expandable segments are not counted
    StatArray active; ///< blocks handed out, or given back but still used by a stream
    StatArray inactiveSplit; ///< free blocks that cannot be returned, as their segment is in use

    StatArray allocatedBytes; ///< handed out, rounding and unsplit slack included
    StatArray reservedBytes; ///< taken from the device
    StatArray activeBytes;
    StatArray inactiveSplitBytes;
    StatArray requestedBytes; ///< what was asked for, of active blocks

    Stat oversizeAllocations; ///< blocks of at least max_split_size
    Stat oversizeSegments;

    std::int64_t numAllocRetries = 0; ///< flushes of the whole cache before another try
    std::int64_t numOoms = 0; ///< OutOfMemory thrown
    std::int64_t numSyncAllStreams = 0; ///< waits for every stream
    std::int64_t numDeviceAlloc = 0; ///< segments taken and maps
    std::int64_t numDeviceFree = 0; ///< segments returned and unmaps
    std::int64_t numOomRejections = 0; ///< refused before the device was asked (throw_on_cudamalloc_oom)

    bool operator==(const DeviceStats&) const = default;
};

} // namespace headroom::simulator
