// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/memory/StepBegins.h"
#include "experiments/figures/memory/TimeAxis.h"
#include "ui/plot/FigureCanvas.h"

#include <utility>
#include <vector>

namespace headroom::ui {

using figures::StepBegin;

/// Lines through a lane's plot where its steps begin, with the steps' numbers in the line of words above the plot.
class StepMarks {
public:
    /// A layer of the canvas, which owns it and calls it back.
    StepMarks(FigureCanvas& canvas, Theme& theme);

    void setSteps(std::vector<StepBegin> steps, const figures::TimeAxis& axis);
    void clear() { m_steps.clear(); }
    const std::vector<StepBegin>& steps() const { return m_steps; }

private:
    void paint(QPainter& painter);
    void paintLine(QPainter& painter, double x) const;
    /// From where to where words stand on the plot at x, from above.
    std::vector<std::pair<double, double>> wordsAcross(double x) const;

    FigureCanvas& m_canvas;
    Theme& m_theme;
    std::vector<StepBegin> m_steps;
    figures::TimeAxis m_axis{{0, 1}};
};

} // namespace headroom::ui
