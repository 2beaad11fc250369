// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/Figure.h"
#include "experiments/report/html/Html.h"

#include <string>

namespace headroom::report {

/// Widths of the drawings of a page, in px: of a desk and of a phone.
inline constexpr double kWideDrawing = 1000;
inline constexpr double kNarrowDrawing = 344;

/// A figure with its caption, drawn twice (for wide and for narrow pages), and the same as a table to open. `id` is
/// different for each figure of a page.
Html htmlFigure(const figures::Figure& figure, const std::string& id);

/// The same of a figure that is finer in the wide drawing.
Html htmlFigure(const figures::Figure& wide, const figures::Figure& narrow, const std::string& id);

/// The same, low: one of several that stand below each other.
Html htmlTrack(const figures::Figure& figure, const std::string& id);

/// The same, drawn once and small: one of several beside each other, under its title.
Html htmlSmallFigure(const figures::Figure& figure, const std::string& id);

/// What a click on the summary opens.
Html opened(const std::string& summary, const Html& content);

} // namespace headroom::report
