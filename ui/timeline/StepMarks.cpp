// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/StepMarks.h"

#include "ui/plot/PlotLayer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headroom::ui {
namespace {

constexpr double kNearestSteps = 6; ///< px: steps nearer to each other than that are no boundaries that could be seen
constexpr double kGapOfWords = 8; ///< px
constexpr double kWordsAbovePlot = 6; ///< px, from the base line to the plot

} // namespace

StepMarks::StepMarks(FigureCanvas& canvas, Theme& theme)
    : m_canvas(canvas)
    , m_theme(theme)
{
    // Not on the overlay, which is painted again whenever the cursor moves.
    new PlotLayer(canvas, QLatin1String(FigureCanvas::kLabels), [this](QPainter& painter) { paint(painter); });
}

void StepMarks::setSteps(std::vector<StepBegin> steps, const figures::TimeAxis& axis)
{
    m_steps = std::move(steps);
    m_axis = axis;
}

void StepMarks::paint(QPainter& painter)
{
    const PlotScene& scene = m_canvas.scene();
    if (m_steps.empty() || scene.isEmpty())
        return;
    const figures::Box& plot = scene.layout.plot;
    double free = scene.layout.yLabel ? scene.layout.yLabel->box().right() + kGapOfWords : plot.x;
    double last = -kNearestSteps;
    for (const StepBegin& step : m_steps) {
        const double x = scene.xOf(m_axis.of(step.beginNs));
        if (x < plot.x || x > plot.right() || x - last < kNearestSteps)
            continue;
        last = x;
        paintLine(painter, std::round(x));
        const figures::PlacedText words{fmt::format("step {}", step.step), x, plot.y - kWordsAbovePlot};
        if (words.box().x < free || words.box().right() > plot.right())
            continue;
        FigureInk::write(painter, words, m_theme.muted());
        free = words.box().right() + kGapOfWords;
    }
}

// On whole px: a dashed line with soft edges takes a painter as long as a curve.
void StepMarks::paintLine(QPainter& painter, double x) const
{
    const figures::Box& plot = m_canvas.scene().layout.plot;
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(m_theme.muted(), 1, Qt::DashLine));
    painter.drawLine(QLineF(x, plot.y, x, plot.bottom()));
    painter.setRenderHint(QPainter::Antialiasing, true);
}

} // namespace headroom::ui
