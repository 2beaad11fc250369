// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/ReportTrial.h"
#include "profiling/store/traces/Rows.h"

#include <string>
#include <vector>

namespace headroom::report {

/// Whether the spec has the trials of the experiment, by their ids.
enum class ReplayMatch {
    Whole, ///< the same trials
    Selection, ///< the same trials, written out one by one, as the run had a part of its sweep (--filter, --shard)
    Recorded, ///< the trials are recordings of another program, so that it has none
    Gone, ///< an exported model that they ran is not there any more, so that it has none
    Changed ///< this version of Headroom gives other ids
};

/// A spec that runs an experiment again: with everything that was given beside the file at the time.
struct ReplaySpec {
    std::string toml;
    ReplayMatch match = ReplayMatch::Whole;
    std::string archive{}; ///< where the model lay that is gone
};

/// Of an experiment with these trials. Throws FileError for a stored spec that cannot be read.
ReplaySpec replaySpec(const store::ExperimentRow& experiment, const std::vector<ReportTrial>& trials);

/// A spec of this trial alone, under the name of its experiment.
std::string replaySpec(const ReportTrial& trial);
/// A spec of exactly these trials, under the name of the first one's experiment.
std::string replaySpec(const std::vector<ReportTrial>& trials);

} // namespace headroom::report
