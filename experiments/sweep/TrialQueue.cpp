// SPDX-License-Identifier: Apache-2.0
#include "experiments/sweep/TrialQueue.h"

#include <algorithm>

namespace headroom::experiments {

int repeatsNeeded(const PlannedTrial& planned)
{
    if (!planned.isRunnable())
        return 0;
    return planned.trial.device.computes() ? planned.trial.protocol.repeats : 1;
}

std::vector<RepeatTask> repeatTasks(std::span<const PlannedTrial> trials, const IsFinished& isFinished)
{
    int rounds = 0;
    for (const PlannedTrial& planned : trials)
        rounds = std::max(rounds, repeatsNeeded(planned));
    std::vector<RepeatTask> tasks;
    for (int repeat = 0; repeat < rounds; ++repeat)
        for (std::size_t trial = 0; trial < trials.size(); ++trial)
            if (repeat < repeatsNeeded(trials[trial]) && !isFinished(trial, repeat))
                tasks.push_back({trial, repeat});
    return tasks;
}

} // namespace headroom::experiments
