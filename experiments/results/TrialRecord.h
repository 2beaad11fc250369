// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/RepeatResult.h"
#include "experiments/results/OrderedJson.h"
#include "experiments/sweep/Sweep.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace headroom::experiments {

/// Whether a trial fits its device, given the largest memory figures of its repeats; nothing where it is unknown.
using FitsJudge = std::function<std::optional<bool>(const config::Trial& trial, const protocol::RepeatMemory& memory)>;

/// The contract's trial record ("headroom.trial/1") of a trial and its finished repeats, in repeat order; no repeats
/// for a skipped trial. Every key is present; what is unknown is null.
///
/// Over the repeats: outcome and reason of the worst (failed, timed_out, cancelled, out_of_memory, completed), memory
/// figures the largest of the completed repeats (of all when none completed), speed over the samples of all completed
/// repeats, the rest from the first repeat that knows it.
OrderedJson trialRecord(const std::string& experiment, const PlannedTrial& planned,
    const std::vector<protocol::RepeatResult>& repeats, const FitsJudge& fits = {});

/// The record of a trial that is planned but has not been reached: its outcome is "not_run".
OrderedJson notRunRecord(const std::string& experiment, const PlannedTrial& planned);

/// The outcome over the repeats as in the record; Skipped without any.
protocol::Outcome outcomeOver(const std::vector<protocol::RepeatResult>& repeats);

} // namespace headroom::experiments
