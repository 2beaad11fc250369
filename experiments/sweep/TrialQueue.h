// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/sweep/Sweep.h"

#include <functional>
#include <span>
#include <vector>

namespace headroom::experiments {

/// One repeat of one trial that is still to be run.
struct RepeatTask {
    std::size_t trial = 0; ///< index among the planned trials
    int repeat = 0;

    bool operator==(const RepeatTask&) const = default;
};

/// Repeats that a trial needs: those of its protocol; one on a simulated device, where every repeat would say the same.
int repeatsNeeded(const PlannedTrial& planned);

/// Whether this repeat of the trial has been run before.
using IsFinished = std::function<bool(std::size_t trial, int repeat)>;

/// The repeats to run, in order: the first of every trial, then the second of every trial, ... so that what drifts
/// while an experiment runs (temperature, other programs) falls on all trials alike.
std::vector<RepeatTask> repeatTasks(std::span<const PlannedTrial> trials, const IsFinished& isFinished);

} // namespace headroom::experiments
