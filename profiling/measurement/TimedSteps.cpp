// SPDX-License-Identifier: Apache-2.0
#include "profiling/measurement/TimedSteps.h"

#include <algorithm>

namespace headroom::collectors {
namespace {

constexpr std::int64_t kMostSteps = 200; // of all samples together, where a sample has several

int samplesOf(const config::Trial& trial, bool hasWarmedUpPlain, int stepsPerSample)
{
    const config::MeasurementProtocol& protocol = trial.protocol;
    if (!trial.device.computes() && !hasWarmedUpPlain)
        return protocol.warmupSteps > 0 ? 1 : std::min(protocol.steps, 2);
    if (stepsPerSample == 1)
        return protocol.steps;
    return std::clamp(static_cast<int>(kMostSteps) / stepsPerSample, 1, protocol.steps);
}

} // namespace

TimedSteps timedSteps(const config::Trial& trial, bool hasWarmedUpPlain)
{
    const config::StepPeriod period = config::stepPeriodOf(trial.configuration);
    TimedSteps timed;
    timed.stepsPerSample = static_cast<int>(std::min(period.steps, kMostSteps));
    timed.samples = samplesOf(trial, hasWarmedUpPlain, timed.stepsPerSample);
    if (period.steps > kMostSteps)
        timed.remark = "steps repeat every " + std::to_string(period.steps) + " only (" + period.option
            + "): figures are of " + std::to_string(kMostSteps) + " of them, and " + period.event
            + " may not be among these";
    return timed;
}

void keepMost(StepCounters& kept, const StepCounters& step)
{
    for (const auto& [technique, counters] : step)
        for (const auto& [name, value] : counters) {
            const auto [it, isNew] = kept[technique].emplace(name, value);
            if (!isNew)
                it->second = std::max(it->second, value);
        }
}

} // namespace headroom::collectors
