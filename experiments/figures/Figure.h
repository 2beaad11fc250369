// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/DeviceSpec.h"
#include "experiments/figures/Axis.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace headroom::figures {

using config::Provenance;
enum class Flag { Pressured, NotSteady, NoEffect, Implausible };
enum class Shape { Circle, Square, Diamond, TriangleUp, TriangleDown, Cross };

/// "measured", "rehearsed", "predicted"; "not_steady", ...: the words of the trial record, and the classes of the
/// drawing.
std::string name(Provenance provenance);
std::string name(Flag flag);
/// "not steady": for people.
std::string title(Flag flag);

/// What a pointer or the keyboard shows about a mark.
struct Hover {
    std::string title;
    std::vector<std::string> lines;

    bool operator==(const Hover&) const = default;
};

struct ErrorBar {
    double low = 0; ///< in units of the y axis
    double high = 0;

    bool operator==(const ErrorBar&) const = default;
};

/// Which of a palette's colours something has.
enum class Hues {
    Series,
    Categories ///< what memory is there for; with a texture (CategoryLook.h)
};

/// How something looks. `series` picks one of kSeriesColours; measured is filled, the rest hollow and dashed. Of
/// categories it picks one of kCategoryColours; those are always filled, and words say what is predicted.
struct Look {
    std::size_t series = 0;
    Shape shape = Shape::Circle;
    Provenance provenance = Provenance::Measured;
    Hues hues = Hues::Series;

    bool operator==(const Look&) const = default;
};

/// How much a label is wanted: those that find no room are left out, the least wanted first.
enum class LabelWish { None, Low, High, First };

/// One thing at one place, in units of the axes.
struct Mark {
    std::string id; ///< the trial's, empty for what is no trial
    double x = 0;
    double y = 0;
    Look look;
    std::vector<Flag> flags;
    std::string label;
    LabelWish wish = LabelWish::None;
    std::optional<ErrorBar> error;
    Hover hover;

    bool operator==(const Mark&) const = default;
};

struct Point {
    double x = 0;
    double y = 0;

    bool operator==(const Point&) const = default;
};

enum class LineRole { Front, Counter };

struct Polyline {
    LineRole role = LineRole::Counter;
    Look look;
    std::vector<Point> points;

    bool operator==(const Polyline&) const = default;
};

/// Between `low` and `high` from x on, until the next one's x.
struct BandPoint {
    double x = 0;
    double low = 0;
    double high = 0;

    bool operator==(const BandPoint&) const = default;
};

/// A filled strip around a counter; the last point only ends it.
struct Band {
    /// Between its lows and its highs: nothing where they are the same, a shade of its colour, or what fades the layers
    /// behind it, as they were held for only a part of the time.
    enum class Spread { None, Shade, Fade };
    /// A lighter shade from the highs down to the axis. Of one band only: one shade upon another would look like a
    /// third counter. A difference has two sides, so nothing is below it.
    enum class Below { Nothing, Shade };

    Look look;
    std::vector<BandPoint> points;
    Spread spread = Spread::None;
    Below below = Below::Nothing;

    bool operator==(const Band&) const = default;
};

/// Whether a band has any height.
bool hasHeight(const std::vector<BandPoint>& points);

/// A piece of a stack: what lies between the lows and the highs. The low of one is the high of the one below it.
struct Layer {
    Look look;
    std::string name; ///< "Saved activations"
    std::vector<BandPoint> points; ///< the last one only ends it

    bool operator==(const Layer&) const = default;
};

enum class Direction { Vertical, Horizontal };

struct ReferenceLine {
    Direction direction = Direction::Vertical;
    double at = 0;
    std::string label;

    bool operator==(const ReferenceLine&) const = default;
};

/// A piece of a horizontal bar of a category axis: [from, to] in units of the x axis, around y = row.
struct BarSegment {
    std::string id;
    std::size_t row = 0;
    double from = 0;
    double to = 0;
    Look look;
    std::string part; ///< "after load", "harness", ...
    Hover hover;

    bool operator==(const BarSegment&) const = default;
};

/// The words at the end of a bar, or in the place of one.
struct RowText {
    std::string id;
    std::size_t row = 0;
    double at = 0; ///< units of the x axis; drawn to the right of it
    std::string text;
    Hover hover; ///< empty where the bar itself has it

    bool operator==(const RowText&) const = default;
};

/// A stretch of the x axis with a name: a phase. `level` 0 is the outermost.
struct Span {
    std::string name;
    double from = 0;
    double to = 0;
    std::size_t level = 0;
    std::size_t series = 0; ///< the same for the same name
    Hover hover;

    bool operator==(const Span&) const = default;
};

/// A trial without a place between the axes: it ran out of memory, failed, was skipped.
struct StripEntry {
    std::string id;
    std::string label;
    std::string reason;
    Look look;
    Hover hover;

    bool operator==(const StripEntry&) const = default;
};

enum class Symbol { Mark, Error, Front, Counter, Spread, Faded, Bar, Flag };

struct LegendEntry {
    Symbol symbol = Symbol::Mark;
    Look look;
    std::optional<Flag> flag; ///< of Symbol::Flag
    std::string text;

    bool operator==(const LegendEntry&) const = default;
};

/// The figure in words: for those who cannot see it, and for tests. Each row has as many cells as the header.
struct Table {
    std::vector<std::string> header;
    std::vector<std::vector<std::string>> rows;

    bool operator==(const Table&) const = default;
};

/// A figure as data: computed once, drawn as SVG in reports and by other means on the screen.
/// Everything is in units of the axes; nothing in it depends on the size of the drawing.
struct Figure {
    std::string kind; ///< "tradeoff", "timeline", "peak-bars"
    std::string title;
    std::string description; ///< one or two sentences that say what is seen
    std::vector<std::string> notes; ///< shown under the title: the best trial under the budget, what was left out
    std::string aside; ///< a last note, which a drawing leaves out where its room is low
    std::string emptyText; ///< shown in the place of the plot when there is nothing to plot; else empty
    Axis x;
    Axis y;
    std::vector<Layer> layers; ///< from the bottom to the top
    std::vector<Band> bands;
    std::vector<Polyline> lines;
    std::vector<ReferenceLine> references;
    std::vector<BarSegment> bars;
    std::vector<RowText> rowTexts;
    std::vector<Mark> marks;
    std::vector<Span> spans;
    std::string stripTitle;
    std::vector<StripEntry> strip;
    std::vector<LegendEntry> legend;
    Table table;

    bool operator==(const Figure&) const = default;
};

/// As RFC 4180 wants it: lines end with CR LF.
std::string toCsv(const Table& table);

} // namespace headroom::figures
