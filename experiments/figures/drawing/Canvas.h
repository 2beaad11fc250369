// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/Figure.h"
#include "experiments/figures/layout/FigureLayout.h"

#include <string>
#include <vector>

namespace headroom::figures {

/// What a thing is; each canvas has colours and strokes for it.
enum class Role {
    Surface,
    Grid,
    Axis,
    Frame, ///< around what stands in the place of a plot
    Reference,
    Front,
    Counter,
    Below, ///< between a counter and the axis
    Spread,
    Fade,
    Layer,
    Bar,
    Span,
    Shape,
    Error,
    ErrorSymbol,
    Ring,
    Leader,
    Halo, ///< what a pointer finds; not seen
};

/// How heavy the outline of a mark that was not measured is: marks without a label are slighter, those of a timeline
/// not dashed.
enum class Outline { Usual, Minor, Solid };

struct Ink {
    Role role = Role::Surface;
    Look look{};
    Outline outline = Outline::Usual;
    Flag flag = Flag::Pressured; ///< of a ring
};

enum class TextRole {
    Title,
    Note,
    Small,
    Empty,
    LegendLabel,
    TickLabel,
    AxisLabel,
    ReferenceLabel,
    SpanLabel,
    LayerLabel,
    RowName,
    RowText,
    Label,
    StripTitle,
    StripLabel,
    Reason,
    Sheet,
};

/// What words stand on, so that they can be read: a rim of their ground, or a piece of the surface where lines would
/// run through them.
enum class Backing { None, Rim, Surface };

/// What belongs together, for canvases that keep a structure.
struct DrawnGroup {
    enum class Kind {
        Look, ///< of one look
        Legend,
        Axes,
        Layer,
        Span,
        Mark, ///< which a pointer or the keyboard finds
        Words, ///< the same without a look
        Figure, ///< one of a sheet, which begins at `y`
    };

    Kind kind = Kind::Look;
    Look look{};
    std::string name{}; ///< of the layer or the span, the trial's id, the kind of the figure
    const Hover* hover = nullptr;
    Outline outline = Outline::Usual;
    double y = 0;
    std::string label{}; ///< of a figure: its title
};

enum class Ends { Open, Closed };

/// What a figure is drawn on: it decides nothing but how its own kind of line is written or painted.
class Canvas {
public:
    Canvas() = default;
    Canvas(const Canvas&) = delete;
    Canvas& operator=(const Canvas&) = delete;
    virtual ~Canvas() = default;

    virtual void open(const DrawnGroup& group) = 0;
    virtual void close() = 0;
    virtual void line(const Ink& ink, const Segment& segment) = 0;
    /// Of a curve, in px; closed: filled.
    virtual void path(const Ink& ink, const std::vector<Pixel>& points, Ends ends) = 0;
    virtual void polygon(const Ink& ink, const std::vector<Pixel>& corners) = 0;
    virtual void box(const Ink& ink, const Box& box) = 0;
    virtual void circle(const Ink& ink, const Pixel& middle, double radius) = 0;
    virtual void text(TextRole role, const PlacedText& text, Backing backing, const Look& look) = 0;
    void text(TextRole role, const PlacedText& words) { text(role, words, Backing::None, {}); }
};

} // namespace headroom::figures
