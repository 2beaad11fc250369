// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/Figure.h"
#include "experiments/figures/layout/SheetLayout.h"

#include <optional>
#include <string>

namespace headroom::figures {

enum class StyleSheet {
    Own, ///< in the file: light, and dark where the reader prefers it
    OfThePage, ///< none: the page that embeds the figure has pageStyleSheet() and pagePatterns() once
};

enum class TitleDisplay { Shown, Hidden };

struct SvgStyle {
    double width = 720; ///< in px of the view box; under kNarrowWidth the layout is that of a phone
    StyleSheet styleSheet = StyleSheet::Own;
    TitleDisplay title = TitleDisplay::Shown; ///< hidden: a heading of the page says it
    std::string idPrefix = "figure"; ///< begins each id in the drawing; different for each figure of a page
    std::optional<double> height{}; ///< of the whole drawing, about; without it follows from the width
};

/// The drawing as one <svg> element with role="img", without an XML declaration: it can stand in HTML as it is.
/// Each mark is <g class="mark" data-trial="ID" tabindex="0"> with its hover text as <title>.
/// No script, nothing external; the same figure gives the same bytes. Widths below kSmallestWidth count as that.
std::string toSvg(const Figure& figure, const SvgStyle& style = {});

/// The sheet as one <svg> element that stands by itself: its colours are in it, light, and dark where the reader
/// prefers that on a screen. No script, nothing external.
std::string toSvg(const Sheet& sheet, double width);

/// What embedded figures are filled with: an <svg> without a size, to stand before them.
std::string pagePatterns();

/// The rules for embedded figures. Colours are custom properties (--hr-surface, --hr-ink, ...), set on :root for light
/// and, by prefers-color-scheme or data-theme="dark" on the root element, for dark; data-theme="light" and print are
/// light. The page may use the same properties for its own colours.
std::string pageStyleSheet();

} // namespace headroom::figures
