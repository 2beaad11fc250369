// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/DeviceRecords.h"

#include <chrono>
#include <cstdint>

namespace headroom::collectors::cupti {

/// The clock of CUPTI's timestamps. Foreign: neither of the system's, as after LibTorch's profiler, which makes CUPTI
/// count processor ticks; such timestamps are not times.
enum class StampClock { Monotonic, Realtime, Foreign };

/// The clock from which a timestamp was read between two readings of both clocks; times in between are accepted with a
/// tolerance of a millisecond.
StampClock clockOf(std::uint64_t stamp, const trace::ClockSync& before, const trace::ClockSync& after);

/// Reads the clocks now, on a trace's time axis that begins at `origin`.
trace::ClockSync readClocks(std::chrono::steady_clock::time_point origin);

/// The value of a timestamp of that clock at time 0 of the trace, from one reading of the clocks.
std::uint64_t originStamp(StampClock clock, const trace::ClockSync& reading);

/// CLOCK_MONOTONIC in nanoseconds: the time source given to CUPTI, the same as the trace's.
std::uint64_t monotonicNs();

} // namespace headroom::collectors::cupti
