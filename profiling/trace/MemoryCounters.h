// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/AllocatorEvent.h"

#include <array>
#include <string_view>

namespace headroom::trace {

/// The three curves of an allocator's trace, in PyTorch's terms.
enum class Counter : std::uint8_t {
    Allocated, ///< blocks that are in use by an owner
    Reserved, ///< segments taken from the device
    Active ///< allocated blocks and freed ones that a stream still uses
};

inline constexpr std::array kCounters{Counter::Allocated, Counter::Reserved, Counter::Active};

/// "allocated", "reserved", "active".
std::string_view counterName(Counter counter);

/// The value of all counters at one instant.
struct MemoryCounters {
    Bytes allocated = 0;
    Bytes reserved = 0;
    Bytes active = 0;

    /// Advances the counters by one event. Wraps around instead of overflowing, so that damaged data is harmless.
    void apply(const AllocatorEvent& event);
    Bytes of(Counter counter) const;

    bool operator==(const MemoryCounters&) const = default;
};

} // namespace headroom::trace
