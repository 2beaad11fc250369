// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/calibration/DeviceTimer.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace headroom::collectors {
namespace {

constexpr int kMostHostCalls = 20'000;
constexpr int kFewestBatches = 3;

double secondsOfCalls(const DeviceTimer::Program& program, int calls)
{
    const auto begin = std::chrono::steady_clock::now();
    for (int call = 0; call < calls; ++call)
        program();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double quantileOf(const std::vector<double>& sorted, double share)
{
    const double place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(std::floor(place));
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (place - std::floor(place)) * (sorted[above] - sorted[below]);
}

} // namespace

Timing timingOf(std::vector<double> secondsOfCall)
{
    std::ranges::sort(secondsOfCall);
    const double median = quantileOf(secondsOfCall, 0.5);
    return {median, (quantileOf(secondsOfCall, 0.75) - quantileOf(secondsOfCall, 0.25)) / median};
}

int callsOfBatch(double secondsOfCall, const TimingEffort& effort, int most)
{
    const double calls = effort.batchSeconds / std::max(secondsOfCall, 1e-9);
    return static_cast<int>(std::clamp(calls, 1.0, static_cast<double>(most)));
}

int batchesOf(double secondsOfBatch, const TimingEffort& effort)
{
    const double batches = effort.mostSeconds / std::max(secondsOfBatch, 1e-9);
    return static_cast<int>(
        std::clamp(batches, std::min<double>(kFewestBatches, effort.batches), static_cast<double>(effort.batches)));
}

// The second call decides how many make a batch: the first one also starts threads and fills caches.
Timing HostTimer::time(const Program& program, const TimingEffort& effort)
{
    program();
    const int calls = callsOfBatch(secondsOfCalls(program, 1), effort, kMostHostCalls);
    std::vector<double> seconds{secondsOfCalls(program, calls) / calls};
    const int batches = batchesOf(seconds.front() * calls, effort);
    while (std::ssize(seconds) < batches)
        seconds.push_back(secondsOfCalls(program, calls) / calls);
    return timingOf(std::move(seconds));
}

} // namespace headroom::collectors
