// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/Comparison.h"
#include "experiments/report/ReportContent.h"
#include "experiments/report/Verdict.h"
#include "experiments/report/html/Html.h"

#include <string>
#include <vector>

namespace headroom::report {

/// A part of the page with a heading that links lead to.
struct HtmlSection {
    std::string id;
    std::string title;
    Html body; ///< empty: the section is left out
};

/// The parts of the page, in order. `trialsFile`: where the trials are that a page of very many does not show.
std::vector<HtmlSection> htmlSections(
    const ReportContent& content, const Comparison& comparison, const std::string& trialsFile);

} // namespace headroom::report
