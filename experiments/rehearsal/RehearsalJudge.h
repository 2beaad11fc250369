// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/rehearsal/Rehearsal.h"
#include "experiments/rehearsal/RehearsalAnswer.h"

namespace headroom::experiments {

/// Whether a run of out of memory that nobody caught asks for a second one, on a card without a limit.
bool endedForMemory(const RehearsedRun& run);

/// What the runs of one command on one card say. `unlimited`: the same command without the card's limit, where the
/// first one ran out of memory. Everything but the held memory, the label and the trial's id, which come from
/// elsewhere.
RehearsedRow judgeRehearsal(
    const RehearsalTerms& terms, const RehearsedRun& run, const std::optional<RehearsedRun>& unlimited);

/// Of two ranks of a command: whether the first has the worse verdict, or the same and needs more.
bool isWorse(const RehearsedRow& row, const RehearsedRow& other);

} // namespace headroom::experiments
