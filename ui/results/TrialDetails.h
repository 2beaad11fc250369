// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/ReportTable.h"
#include "ui/session/ResultSet.h"

#include <string>
#include <vector>

namespace headroom::ui {

/// A section of a trial's details. Only one of text, table and code is filled.
struct DetailSection {
    std::string title;
    std::vector<std::string> sentences = {};
    report::ReportTable table = {};
    std::string code = {};
};

/// What a trial is, its results, and how to reproduce it.
struct TrialDetails {
    std::string title; ///< its techniques
    std::string subtitle; ///< device, model, measured or predicted
    std::string outcome; ///< in words, with its flags
    std::string outcomeWord; ///< the record's word
    std::vector<DetailSection> sections;
    std::string spec; ///< a spec that runs this trial alone
};

TrialDetails trialDetails(const ResultSet& results, const report::ReportTrial& trial);

/// For the clipboard.
std::string markdownOf(const TrialDetails& details);

} // namespace headroom::ui
