// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/Comparison.h"
#include "experiments/report/ReportContent.h"

#include <filesystem>
#include <string>

namespace headroom::report {

/// The parts of the page that are the same in every report.
struct PageParts {
    std::string styleSheet;
    std::string script;
};

/// From the resource folder (`report/report.css`, `report/report.js`). Throws FileError.
PageParts loadPageParts(const std::filesystem::path& resources);

/// One page with everything in it: nothing is loaded from anywhere, and the page forbids it. It works without the
/// script, which only sorts, filters and shows details. Of more than kMostRows trials it shows so many
/// and names `trialsFile` for all of them.
std::string htmlReport(const ReportContent& content, const Comparison& comparison, const PageParts& parts,
    const std::string& trialsFile = {});

} // namespace headroom::report
