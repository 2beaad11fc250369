// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/results/ResultsDocument.h"
#include "experiments/results/RunSummary.h"

#include <string>

namespace headroom::cli {

/// The data from which a run's output files are written. An interrupted run has the records of its finished trials.
struct FinishedRun {
    experiments::ResultsDocument results;
    experiments::RunSummary summary;
    std::string shard; ///< "2/4"; empty: the whole sweep
    std::string workspace; ///< as it was given
    std::string junit; ///< the JUnit file, as it was given; empty: none
    std::string task{}; ///< what all trials do, in one line
    std::string command = "run"; ///< of headroom
};

} // namespace headroom::cli
