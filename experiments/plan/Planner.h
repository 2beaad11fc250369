// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/plan/PlanSearch.h"
#include "experiments/plan/PlanSpace.h"
#include "experiments/plan/TrialPredictor.h"

#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace headroom::experiments {

/// What a plan may cost, and what it is asked for.
struct PlanOptions {
    double maxSlowdown = 0.05; ///< of the least memory, as a share of the answer's step time
    /// The effort of the search, of which a budget takes as much as a dozen: what is found does not depend on how fast
    /// the machine is.
    std::size_t mostPredictions = 160;
    std::chrono::duration<double> searchTime{600}; ///< after which the search ends all the same, with what it has
    std::size_t workers = 0; ///< 0: one for each core
    std::chrono::duration<double> patience = TrialPredictor::kPatience; ///< for one prediction
};

/// A combination that was predicted.
struct PlannedChoice {
    config::Trial trial;
    std::vector<SettingChange> changes; ///< from the trial that was asked about
    PlanFigures figures;
    FitVerdict verdict;
};

/// Why a combination that differs from the answer in one setting is not the answer.
struct PlanReason {
    PlannedChoice neighbour;
    std::string text; ///< a sentence or two
};

/// How far a plan has come, and what it would answer by then.
struct PlanStatus : PlanProgress {
    std::vector<PlannedChoice> front; ///< of what fits, the fastest first
    bool isExplaining = false; ///< the search has ended; what is left is why others lose
};

/// What a plan found. All of it is predicted.
struct PlanResult {
    PlanFindings findings;
    PlannedChoice asked; ///< the trial as it was asked about
    std::optional<PlannedChoice> answer;
    /// The fastest that fits of those whose blocks have a policy that a trainer can be told; where the answer is not.
    std::optional<PlannedChoice> withoutBudget;
    std::optional<PlannedChoice> leastMemory;
    std::optional<PlannedChoice> smallest; ///< needs least of all, whether it fits or not
    std::vector<PlannedChoice> front; ///< the fastest first; of those that are nearly alike the simplest
    std::vector<PlannedChoice> predicted; ///< all that were, the fastest first, whether they fit or not
    std::vector<PlanReason> reasons;
    /// The answer once more, with what its peak consists of: what others are explained by. None where the plan was
    /// interrupted before.
    std::optional<protocol::RepeatResult> answerInDetail;
    std::vector<std::string> failures; ///< distinct reasons for which predictions failed
    std::vector<std::string> notOffered; ///< settings that were not tried, as the rules' trainer does not have them
    Bytes usableBytes = 0;
    Bytes contextBytes = 0;
};

/// Called on the thread that plans.
using PlanWatcher = std::function<void(const PlanStatus&)>;

/// Plans for a trial on a simulated card with a memory of its own. Throws UsageError for rules that cannot be kept,
/// FileError if the worker or the profiles are missing.
PlanResult planFor(const config::Trial& trial, const PlanRules& rules, const PlanOptions& options,
    const PlanWatcher& watcher, const std::stop_token& stop);

} // namespace headroom::experiments
