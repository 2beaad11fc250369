// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/DeviceRecords.h"

#include <chrono>
#include <cstdint>

namespace headroom::collectors::cupti {

/// Which clock CUPTI's time stamps are of. Foreign: neither of the system's, as after LibTorch's profiler, which has
/// CUPTI count processor ticks; such stamps are no times.
enum class StampClock { Monotonic, Realtime, Foreign };

/// The clock that a stamp was read from between two readings of both; times in between are accepted with a slack of a
/// millisecond.
StampClock clockOf(std::uint64_t stamp, const trace::ClockSync& before, const trace::ClockSync& after);

/// The clocks right now, on a trace's axis that begins at `origin`.
trace::ClockSync readClocks(std::chrono::steady_clock::time_point origin);

/// What a stamp of that clock is at the time 0 of the trace, from one reading of the clocks.
std::uint64_t originStamp(StampClock clock, const trace::ClockSync& reading);

/// CLOCK_MONOTONIC in nanoseconds: what CUPTI is asked to take its time from, as the trace does.
std::uint64_t monotonicNs();

} // namespace headroom::collectors::cupti
