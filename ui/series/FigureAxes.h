// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/figures/FigureInk.h"

#include <functional>
#include <vector>

class QCPAxis;
class QCustomPlot;

namespace headroom::ui {

/// QCustomPlot's axes where a figure's layout has them: with exactly its ticks and the words at them. A person who
/// moves them is heard of by rangeChanged; what is set here says nothing.
class FigureAxes {
public:
    explicit FigureAxes(QCustomPlot& plot);

    void setInk(const FigureInk& ink);
    /// When there is another layout, or another size of the plot. In px.
    void placeRectangle(const figures::Box& box);
    /// When the axes have moved.
    void place(const PlotScene& scene, const FigureInk& ink);

private:
    void place(QCPAxis& axis, const figures::Axis& shown, const std::vector<figures::PlacedTick>& ticks,
        const std::function<double(double)>& valueAt);
    /// The first word at each axis stands where the layout has it, and the others with it.
    void placeWords(const PlotScene& scene);

    QCustomPlot& m_plot;
};

} // namespace headroom::ui
