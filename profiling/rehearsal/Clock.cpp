// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/Clock.h"

#include <atomic>
#include <ctime>

namespace headroom::rehearsal {

namespace {

constexpr std::int64_t kNsPerSecond = 1'000'000'000;

/// What the host has waited so far.
constinit std::atomic<std::int64_t> waitedNs = 0;

} // namespace

std::int64_t hostNs()
{
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * kNsPerSecond + now.tv_nsec;
}

std::int64_t nowNs()
{
    return hostNs() + waitedNs.load(std::memory_order_relaxed);
}

void waitUntil(std::int64_t ns)
{
    const std::int64_t missing = ns - nowNs();
    if (missing > 0)
        waitedNs.fetch_add(missing, std::memory_order_relaxed);
}

} // namespace headroom::rehearsal
