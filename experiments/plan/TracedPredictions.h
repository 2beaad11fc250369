// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/plan/TrialPredictor.h"

#include <vector>

namespace headroom::experiments {

/// Simulates each trial on its card without the limit, and looks at what its peak consists of; with so many workers of
/// its own. Once `stop` is requested, the rest are cancelled. Throws FileError where no file for a trace can be made.
std::vector<protocol::RepeatResult> tracedPredictions(const std::vector<config::Trial>& trials, std::size_t workers,
    std::chrono::duration<double> patience, const std::stop_token& stop);

/// Simulates each trial for its record, with a worker of its own for each core.
std::vector<protocol::RepeatResult> recordPredictions(
    const std::vector<config::Trial>& trials, std::chrono::duration<double> patience);

} // namespace headroom::experiments
