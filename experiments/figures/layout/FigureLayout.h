// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/Box.h"
#include "experiments/figures/Figure.h"
#include "experiments/figures/layout/LabelPlacement.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace headroom::figures {

/// Narrower figures get a phone's layout.
inline constexpr double kNarrowWidth = 480;
inline constexpr double kSmallestWidth = 240;

inline constexpr double kFontPx = 12;
inline constexpr double kTitlePx = 15;
inline constexpr double kLinePx = 16; ///< a line of text
inline constexpr double kMarkRadius = 5.5;
inline constexpr double kMinorRadius = 4.2; ///< of marks that want no label
inline constexpr double kRingStep = 3.5; ///< from a mark to the ring of its first flag, and on to the next

enum class TextAnchor { Start, Middle, End };

/// `y` is the base line.
struct PlacedText {
    std::string text;
    double x = 0;
    double y = 0;
    TextAnchor anchor = TextAnchor::Start;

    Box box() const; ///< what it covers at most, at kFontPx
};

struct PlacedTick {
    double at = 0; ///< px along the axis' direction
    PlacedText text;
};

struct PlacedSpan {
    Box box;
    std::optional<PlacedText> text; ///< left out where it does not fit
};

struct PlacedStripEntry {
    Pixel symbol;
    std::optional<PlacedText> label; ///< the last ones of a long strip have a symbol only
    std::optional<PlacedText> reason;
};

struct PlacedLegendEntry {
    Box symbol;
    PlacedText text;
};

struct PlacedMark {
    Pixel at;
    double radius = 0; ///< with the rings of its flags
};

struct MarkLabel {
    std::size_t mark = 0;
    PlacedText text;
    Box box;
    std::optional<Segment> leader;
    bool onLine = false; ///< it interrupts a line
};

/// The name of a layer, in it.
struct LayerLabel {
    std::size_t layer = 0;
    PlacedText text;
};

/// Where everything of a figure stands in a drawing of a given width. Vectors are as long as those of the figure.
struct FigureLayout {
    double width = 0;
    double height = 0;
    Box plot; ///< between the axes; its edges lie on whole px
    std::vector<PlacedText> title;
    std::vector<PlacedText> notes;
    std::vector<PlacedText> emptyText;
    std::optional<PlacedText> xLabel;
    std::optional<PlacedText> yLabel;
    std::vector<PlacedTick> xTicks;
    std::vector<PlacedTick> yTicks;
    std::vector<PlacedText> referenceLabels;
    std::vector<PlacedSpan> spans;
    std::vector<Box> bars;
    std::vector<PlacedText> rowTexts;
    std::vector<PlacedMark> marks;
    std::vector<MarkLabel> labels; ///< of the marks that have one
    std::vector<LayerLabel> layerLabels; ///< of the layers that have room for one
    std::optional<PlacedText> droppedNote; ///< "+3 labels: ..." when labels found no place
    std::optional<PlacedText> stripTitle;
    std::vector<PlacedStripEntry> strip;
    std::optional<PlacedText> stripNote;
    std::vector<PlacedLegendEntry> legend;

    /// Of a place between the left and the right edge of the plot.
    double fractionOf(double px) const { return (px - plot.x) / plot.width; }
    double xOf(const Axis& axis, double value) const { return plot.x + plot.width * axis.fraction(value); }
    /// A category axis runs down, the others up.
    double yOf(const Axis& axis, double value) const;
};

enum class TitleLines { Shown, Hidden };

/// Widths under kNarrowWidth give a phone's layout: fewer ticks, the legend below, row names above their bars.
FigureLayout layOut(const Figure& figure, double width, TitleLines title);

/// The place that a drawing is to fill.
struct Room {
    double width = 0;
    double height = 0;
};

inline constexpr double kLowestPlot = 84; ///< of a room too low for it, the drawing stands out

/// The same, filling its place: the plot is as high as the words around it leave room for. Bars keep their height.
FigureLayout layOut(const Figure& figure, const Room& room, TitleLines title);

/// Places ticks anew for axes that moved, while all else stays where it is.
void layOutTicks(const Axis& x, const Axis& y, FigureLayout& layout);

} // namespace headroom::figures
