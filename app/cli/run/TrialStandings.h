// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/results/RunSummary.h"

#include <map>
#include <string>
#include <vector>

namespace headroom::cli {

/// How a trial counts when a run is checked, the worst first. Unusable: it completed, but its result cannot be relied
/// on, or a budget cannot be decided.
enum class Standing { Failed, Exceeded, Unusable, Cancelled, OutOfMemory, Skipped, Good };

/// The budget verdicts of a run, by trial.
class TrialStandings {
public:
    /// `summary` must outlive the standings.
    explicit TrialStandings(const experiments::RunSummary& summary);

    Standing of(const experiments::TrialResult& result) const;

    /// The verdicts on the trial other than held, as lines of "exceeded: NAME: text".
    std::vector<std::string> complaints(const experiments::TrialResult& result) const;

    /// The worst verdict on the trial; NotApplicable if no budget applies to it.
    experiments::BudgetResult worst(const experiments::TrialResult& result) const;

private:
    struct Entry {
        const experiments::BudgetVerdict* verdict = nullptr;
        experiments::AmbiguityPolicy onAmbiguity = experiments::AmbiguityPolicy::Unusable;
    };
    const std::vector<Entry>& entries(const experiments::TrialResult& result) const;

    std::map<std::string, std::vector<Entry>> m_entries; ///< by trial id
};

} // namespace headroom::cli
