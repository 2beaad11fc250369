// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <string>

namespace headroom::collectors {

/// How many steps are timed, and how many of them make one figure: where not all steps do the same, as with an EMA that
/// is updated every tenth step, a figure is the mean of as many steps as repeat.
struct TimedSteps {
    int samples = 1;
    int stepsPerSample = 1;
    std::string remark{}; ///< where so many steps repeat that not all of them are run; else empty
};

/// On a simulated device one period after the warm-up is enough, or two where none was asked for: what steps keep has
/// been made by then, and there is no noise. Where an optimizer keeps state, what is reserved may still grow in later
/// ones, as its blocks move. After a plain warm-up as many as on a real device.
TimedSteps timedSteps(const config::Trial& trial, bool hasWarmedUpPlain);

inline double seconds(std::chrono::nanoseconds duration)
{
    return std::chrono::duration<double>(duration).count();
}

/// Counters of one step, by technique and name.
using StepCounters = std::map<std::string, std::map<std::string, std::int64_t>>;

/// The larger of each counter: of a period, the step in which a technique did most.
void keepMost(StepCounters& kept, const StepCounters& step);

} // namespace headroom::collectors
