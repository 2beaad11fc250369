// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/Comparison.h"
#include "experiments/report/ReportContent.h"
#include "experiments/report/document/Block.h"

#include <functional>
#include <string>
#include <vector>

namespace headroom::report {

struct Section {
    std::string id; ///< which links lead to
    std::string title;
    std::function<Blocks()> blocks; ///< made when asked for, as those of many trials are large; none: left out
};

/// A word that no reader may miss: "predicted, not measured".
struct Badge {
    enum class Tone { Plain, Warning };

    std::string text;
    Tone tone = Tone::Plain;
};

/// A report before it is written in one of its forms, each of which has all sections in this order, under these titles.
struct ReportDocument {
    std::string name;
    std::string title; ///< may be empty, as may the description
    std::string description;
    std::vector<Badge> badges;
    std::vector<std::string> facts; ///< number of trials, when it was started, by which version
    std::vector<Section> sections;
    std::string closing; ///< how the figures are meant
};

/// Content and comparison have to live as long as the document.
ReportDocument documentOf(const ReportContent& content, const Comparison& comparison, const ReportBounds& bounds);

} // namespace headroom::report
