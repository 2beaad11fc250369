// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/Comparison.h"
#include "experiments/report/ReportContent.h"

#include <string>
#include <vector>

namespace headroom::report {

/// What can be said about one group of trials. Names of settings stand in backquotes.
struct GroupVerdict {
    std::string title; ///< empty for the only group
    std::vector<std::string> sentences;
};

/// The results in plain sentences, computed from the records.
struct Verdict {
    std::vector<std::string> lead; ///< what was compared, how it ended, what is a prediction
    std::vector<std::string> across; ///< each setting over all cases, where there are several
    std::vector<GroupVerdict> groups;
    std::vector<std::string> cautions; ///< flags, failures, budgets that do not hold, what has not been run
};

Verdict verdictOf(const ReportContent& content, const Comparison& comparison);

/// What a flag of a trial means, for people.
std::string meaningOf(const std::string& flag);

} // namespace headroom::report
