// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/results/Environment.h"
#include "experiments/results/RunSummary.h"

#include <string>
#include <vector>

namespace headroom::experiments {

/// What `--format json` prints: the results of an experiment.
struct ResultsDocument {
    std::string experiment;
    OrderedJson environment = nullptr; ///< toJson(Environment)
    std::vector<TrialResult> trials; ///< in sweep order
    std::vector<TrialResult> notRun = {}; ///< one for each trial that was planned but not reached
    OrderedJson summary = nullptr; ///< toJson(RunSummary)
};

/// {"schema":"headroom.results/1", ...}
OrderedJson toJson(const ResultsDocument& document);

} // namespace headroom::experiments
