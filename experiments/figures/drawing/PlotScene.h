// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/FigureWindow.h"
#include "experiments/figures/layout/FigureLayout.h"

#include <memory>

namespace headroom::figures {

using FigurePtr = std::shared_ptr<const Figure>;

/// What a plot shows at one moment. While the axes move, data follow them and the words stay with what they name; the
/// layout is made anew once they rest.
struct PlotScene {
    FigurePtr whole; ///< with all data
    FigurePtr shown; ///< the part of it that the layout is of
    FigureLayout layout;
    Axis x; ///< as they are now
    Axis y;

    double xOf(double value) const { return layout.xOf(x, value); }
    double yOf(double value) const { return layout.yOf(y, value); }
    double xAt(double px) const { return x.value((px - layout.plot.x) / layout.plot.width); }
    double yAt(double px) const;
    Pixel at(const Mark& mark) const { return {xOf(mark.x), yOf(mark.y)}; }
    bool isEmpty() const { return !whole || !whole->emptyText.empty(); }

    /// Nothing has moved since it was laid out.
    bool isAtRest() const { return shown && x == shown->x && y == shown->y; }

    /// How large a mark is, without the rings of its flags.
    static double radiusOf(const Mark& mark);
    /// Of the ring of one of its flags.
    static double ringRadius(const Mark& mark, std::size_t flag);
    /// With all of them.
    static double reachOf(const Mark& mark);
    /// Whether rows have their names above them, as on narrow screens, and not at the axis.
    bool namesAreAboveRows() const;
    /// As far as it lies between the axes now.
    Box barBox(std::size_t bar) const;
    Box spanBox(std::size_t span) const;
};

/// The scene of a figure that stands by itself, in a file.
PlotScene sceneOf(FigurePtr figure, const FigureLayout& layout);
/// The same of a figure that outlives it.
PlotScene sceneOf(const Figure& figure, const FigureLayout& layout);

} // namespace headroom::figures
