// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <string>

namespace headroom::collectors {

/// How many steps are timed, and how many of them make one sample: if steps differ, as with an EMA that is updated
/// every tenth step, a sample is the mean over one period.
struct TimedSteps {
    int samples = 1;
    int stepsPerSample = 1;
    std::string remark{}; ///< if a period has so many steps that not all of them are run; else empty
};

/// On a simulated device one period after the warm-up is enough, or two if no warm-up was requested: state that steps
/// keep exists by then, and there is no noise. If an optimizer keeps state, reserved memory may still grow in later
/// steps, as its blocks move. After a plain warm-up as many steps as on a real device.
TimedSteps timedSteps(const config::Trial& trial, bool hasWarmedUpPlain);

inline double seconds(std::chrono::nanoseconds duration)
{
    return std::chrono::duration<double>(duration).count();
}

/// Counters of one step, by technique and name.
using StepCounters = std::map<std::string, std::map<std::string, std::int64_t>>;

/// Keeps the larger value of each counter: of a period, the step in which a technique did most.
void keepMost(StepCounters& kept, const StepCounters& step);

} // namespace headroom::collectors
