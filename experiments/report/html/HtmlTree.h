// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/memory/PeakTree.h"
#include "experiments/report/ReportTable.h"
#include "experiments/report/html/Html.h"

#include <string>

namespace headroom::report {

/// The tree of a peak to open and close, without a script. Each row says its bytes (exactly as `data-bytes`), its share
/// of the peak and what they are mostly there for; the rows below one sum to it.
Html htmlTree(const figures::PeakTreeRow& root, Origin origin);

/// The rules for the bars of trees: of each width and each category. Inline styles would not be allowed.
std::string treeStyleSheet();

} // namespace headroom::report
