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
constexpr double kAroundWords = 2; ///< px
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

std::vector<std::pair<double, double>> StepMarks::wordsAcross(double x) const
{
    std::vector<std::pair<double, double>> stretches;
    const figures::FigureLayout& layout = m_canvas.scene().layout;
    const auto add = [&](const figures::Box& box) {
        if (const figures::Box around = box.grown(kAroundWords); around.x <= x && x <= around.right())
            stretches.emplace_back(around.y, around.bottom());
    };
    for (const figures::MarkLabel& label : layout.labels)
        add(label.box);
    for (const figures::LayerLabel& label : layout.layerLabels)
        add(label.text.box());
    std::ranges::sort(stretches);
    return stretches;
}

// On whole px: a dashed line with soft edges takes a painter as long as a curve. Words at a peak are written on the
// plot: a line ends above them and goes on below.
void StepMarks::paintLine(QPainter& painter, double x) const
{
    const figures::Box& plot = m_canvas.scene().layout.plot;
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(m_theme.muted(), 1, Qt::DashLine));
    double from = plot.y;
    for (const auto& [begin, end] : wordsAcross(x)) {
        if (begin > from)
            painter.drawLine(QLineF(x, from, x, begin));
        from = std::max(from, end);
    }
    if (from < plot.bottom())
        painter.drawLine(QLineF(x, from, x, plot.bottom()));
    painter.setRenderHint(QPainter::Antialiasing, true);
}

} // namespace headroom::ui
