// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/TrialClock.h"

#include <atomic>

namespace headroom::collectors {
namespace {

std::atomic<std::int64_t (*)()> g_followed{nullptr};

} // namespace

TrialClock::time_point TrialClock::now()
{
    if (auto* const followed = g_followed.load(std::memory_order_relaxed))
        return time_point(std::chrono::nanoseconds(followed()));
    return std::chrono::steady_clock::now();
}

void TrialClock::follow(std::int64_t (*nanoseconds)())
{
    g_followed = nanoseconds;
}

} // namespace headroom::collectors
