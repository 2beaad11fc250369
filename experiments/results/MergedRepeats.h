// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/results/TrialResult.h"
#include "experiments/sweep/Sweep.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace headroom::experiments {

/// Whether a trial fits its device, given the largest memory figures of its repeats; nothing where it is unknown.
using FitsJudge = std::function<std::optional<bool>(const config::Trial& trial, const protocol::RepeatMemory& memory)>;

/// What came of a trial, from its finished repeats in their order; no repeats for a skipped trial.
///
/// Over the repeats: outcome and reason of the worst (failed, timed_out, cancelled, out_of_memory, completed), memory
/// figures the largest of the completed repeats (of all when none completed), speed over the samples of all completed
/// repeats, the rest from the first repeat that knows it. Flags are those that the trial alone tells; applyPlausibility
/// adds what takes the whole sweep.
TrialResult trialResult(const std::string& experiment, const PlannedTrial& planned,
    const std::vector<protocol::RepeatResult>& repeats, const FitsJudge& fits = {});

/// Of a trial that is planned but has not been reached.
TrialResult notRunResult(const std::string& experiment, const PlannedTrial& planned);

/// The outcome over the repeats; Skipped without any.
Outcome outcomeOver(const std::vector<protocol::RepeatResult>& repeats);

} // namespace headroom::experiments
