// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cupti/StampClock.h"

#include "profiling/collectors/TrialClock.h"

#include <ctime>

namespace headroom::collectors::cupti {
namespace {

constexpr std::int64_t kSlackNs = 1'000'000;

std::int64_t read(clockid_t clock)
{
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

bool isBetween(std::int64_t stamp, std::int64_t before, std::int64_t after)
{
    return stamp >= before - kSlackNs && stamp <= after + kSlackNs;
}

} // namespace

StampClock clockOf(std::uint64_t stamp, const trace::ClockSync& before, const trace::ClockSync& after)
{
    const auto time = static_cast<std::int64_t>(stamp);
    if (isBetween(time, before.monotonicNs, after.monotonicNs))
        return StampClock::Monotonic;
    return isBetween(time, before.realtimeNs, after.realtimeNs) ? StampClock::Realtime : StampClock::Foreign;
}

trace::ClockSync readClocks(std::chrono::steady_clock::time_point origin)
{
    trace::ClockSync clocks;
    clocks.realtimeNs = read(CLOCK_REALTIME);
    clocks.monotonicNs = std::chrono::nanoseconds(TrialClock::now().time_since_epoch()).count();
    // The standard library's steady clock is CLOCK_MONOTONIC.
    clocks.timeNs = clocks.monotonicNs - std::chrono::nanoseconds(origin.time_since_epoch()).count();
    return clocks;
}

std::uint64_t originStamp(StampClock clock, const trace::ClockSync& reading)
{
    const std::int64_t now = clock == StampClock::Realtime ? reading.realtimeNs : reading.monotonicNs;
    return static_cast<std::uint64_t>(now - reading.timeNs);
}

std::uint64_t monotonicNs()
{
    return static_cast<std::uint64_t>(read(CLOCK_MONOTONIC));
}

} // namespace headroom::collectors::cupti
