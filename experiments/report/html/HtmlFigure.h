// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/Figure.h"
#include "experiments/report/html/Html.h"

#include <string>

namespace headroom::report {

/// A figure with its caption, drawn twice (for wide and for narrow pages), and the same as a table to open. `id` is
/// different for each figure of a page.
Html htmlFigure(const figures::Figure& figure, const std::string& id);

/// The same, low: one of several that stand below each other.
Html htmlTrack(const figures::Figure& figure, const std::string& id);

} // namespace headroom::report
