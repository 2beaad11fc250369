// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/results/Environment.h"
#include "experiments/results/RunSummary.h"

#include <functional>
#include <string>
#include <string_view>
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

/// Where a text goes, piece by piece.
using TextSink = std::function<void(std::string_view piece)>;
/// Visits results in the order of the sweep.
using EachResult = std::function<void(const std::function<void(const TrialResult&)>& visit)>;

/// Writes the document with an indentation of two, as `toJson(document).dump(2)` is: a record is made when it is
/// written, as a sweep's records together take ten times the room of its results. `parts`: all but the trials, which
/// come from `trials` and `notRun`. Bytes that are no UTF-8 are replaced.
void writeDocument(
    const ResultsDocument& parts, const EachResult& trials, const EachResult& notRun, const TextSink& write);
/// The same of the document's own trials.
void writeDocument(const ResultsDocument& document, const TextSink& write);

} // namespace headroom::experiments
