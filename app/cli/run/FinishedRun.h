// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/results/ResultsDocument.h"
#include "experiments/results/RunSummary.h"

#include <string>

namespace headroom::cli {

/// What the files that a run leaves behind are written from. An interrupted run has the records of what is finished.
struct FinishedRun {
    experiments::ResultsDocument results;
    experiments::RunSummary summary;
    std::string shard; ///< "2/4"; empty: the whole sweep
    std::string workspace; ///< as it was given
    std::string junit; ///< the same; empty: none
    std::string task{}; ///< what all trials do, in one line
};

} // namespace headroom::cli
