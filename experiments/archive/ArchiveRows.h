// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/RepeatResult.h"
#include "experiments/sweep/Sweep.h"
#include "profiling/store/workspace/RepeatImport.h"

namespace headroom::experiments {

/// A trial as it is stored before it has run.
store::TrialRow trialRow(const PlannedTrial& planned, std::size_t ordinal);

/// A repeat as it is stored; its result's text, trial, environment and spool are the caller's.
store::RepeatImport importOf(
    const protocol::RepeatResult& result, int repeat, store::Timestamp startedAt, store::Timestamp finishedAt);

} // namespace headroom::experiments
