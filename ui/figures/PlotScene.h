// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/FigureWindow.h"
#include "experiments/figures/layout/FigureLayout.h"

#include <memory>

namespace headroom::ui {

using FigurePtr = std::shared_ptr<const figures::Figure>;

/// What a plot shows at one moment. While the axes move, data follow them and the words stay with what they name; the
/// layout is made anew once they rest.
struct PlotScene {
    FigurePtr whole; ///< with all data
    FigurePtr shown; ///< the part of it that the layout is of
    figures::FigureLayout layout;
    figures::Axis x; ///< as they are now
    figures::Axis y;

    double xOf(double value) const { return layout.xOf(x, value); }
    double yOf(double value) const { return layout.yOf(y, value); }
    double xAt(double px) const { return x.value((px - layout.plot.x) / layout.plot.width); }
    double yAt(double px) const;
    figures::Pixel at(const figures::Mark& mark) const { return {xOf(mark.x), yOf(mark.y)}; }
    bool isEmpty() const { return !whole || !whole->emptyText.empty(); }

    /// How large a mark is, without the rings of its flags.
    static double radiusOf(const figures::Mark& mark);
    /// Of the ring of one of its flags.
    static double ringRadius(const figures::Mark& mark, std::size_t flag);
    /// With all of them.
    static double reachOf(const figures::Mark& mark);
    /// Whether rows have their names above them, as on narrow screens, and not at the axis.
    bool namesAreAboveRows() const;
    /// As far as it lies between the axes now.
    figures::Box barBox(std::size_t bar) const;
    figures::Box spanBox(std::size_t span) const;
};

/// The scene of a figure that stands by itself, in a file.
PlotScene sceneOf(FigurePtr figure, const figures::FigureLayout& layout);

} // namespace headroom::ui
