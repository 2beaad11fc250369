// SPDX-License-Identifier: Apache-2.0
#include "profiling/measurement/TimedSteps.h"

#include "core/config/techniques/EmaDescriptor.h"

#include <algorithm>

namespace headroom::collectors {
namespace {

constexpr std::int64_t kMostSteps = 200; // of all samples together, where a sample has several

int samplesOf(const config::Trial& trial, bool hasWarmedUpPlain, int stepsPerSample)
{
    const config::MeasurementProtocol& protocol = trial.protocol;
    if (trial.device.isSimulated() && !hasWarmedUpPlain)
        return protocol.warmupSteps > 0 ? 1 : std::min(protocol.steps, 2);
    if (stepsPerSample == 1)
        return protocol.steps;
    return std::clamp(static_cast<int>(kMostSteps) / stepsPerSample, 1, protocol.steps);
}

} // namespace

TimedSteps timedSteps(const config::Trial& trial, bool hasWarmedUpPlain)
{
    const std::int64_t period = config::stepsPerPeriod(trial.configuration.techniques);
    TimedSteps timed;
    timed.stepsPerSample = static_cast<int>(std::min(period, kMostSteps));
    timed.samples = samplesOf(trial, hasWarmedUpPlain, timed.stepsPerSample);
    if (period > kMostSteps)
        timed.remark = "steps repeat every " + std::to_string(period) + " only (ema.interval): figures are of "
            + std::to_string(kMostSteps) + " of them, and an EMA update may not be among these";
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
