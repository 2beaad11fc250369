// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/plan/Planner.h"

#include <chrono>
#include <stop_token>
#include <string>
#include <vector>

namespace headroom::experiments {

/// The settings in which a combination differs from another one of the same plan, as changes from that one.
std::vector<SettingChange> changesBetween(const PlannedChoice& from, const PlannedChoice& to);

/// Why one of the combinations of a plan is not its answer, as PlanReason has it for neighbours: what owns its peak
/// where it does not fit, what its time goes to where it is slower. Of the answer: what owns its own peak.
///
/// Simulates the combination with breakdown and counters where that has not been done, which takes a moment. Empty
/// without an answer, and once `stop` is requested. Throws what TrialPredictor throws.
std::string explanationOf(const PlannedChoice& choice, const PlanResult& plan, std::chrono::duration<double> patience,
    const std::stop_token& stop);

} // namespace headroom::experiments
