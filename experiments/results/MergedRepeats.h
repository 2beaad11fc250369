// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/results/TrialResult.h"
#include "experiments/sweep/Sweep.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace headroom::experiments {

/// Whether a trial fits its device, given the largest memory figures of its repeats; nullopt if unknown.
using FitsJudge = std::function<std::optional<bool>(const config::Trial& trial, const protocol::RepeatMemory& memory)>;

/// Merges the finished repeats of a trial, in order, into its result; a skipped trial has no repeats.
///
/// Outcome and reason are those of the worst repeat (failed, timed_out, cancelled, out_of_memory, completed, worst
/// first). Memory figures are the largest of the completed repeats (of all repeats if none completed). Speed is
/// computed over the samples of all completed repeats. Everything else comes from the first repeat that knows it. Flags
/// are those that the trial alone shows; applyPlausibility adds those that need the whole sweep.
TrialResult trialResult(const std::string& experiment, const PlannedTrial& planned,
    const std::vector<protocol::RepeatResult>& repeats, const FitsJudge& fits = {});

/// The result of a trial that is planned but was not reached.
TrialResult notRunResult(const std::string& experiment, const PlannedTrial& planned);

/// The worst outcome of the repeats; Skipped if there are none.
Outcome outcomeOver(const std::vector<protocol::RepeatResult>& repeats);

} // namespace headroom::experiments
