// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/StepMarks.h"

#include "ui/plot/PlotLayer.h"

#include <fmt/format.h>

#include <algorithm>

namespace headroom::ui {
namespace {

constexpr double kNearestSteps = 6; ///< px: steps nearer to each other than that are no boundaries that could be seen
constexpr double kGapOfWords = 8; ///< px
constexpr double kWordsAbovePlot = 6; ///< px, from the base line to the plot

} // namespace

std::vector<StepBegin> stepBegins(std::span<const trace::PhaseSpan> phases)
{
    std::vector<trace::PhaseSpan> ordered;
    for (const trace::PhaseSpan& phase : phases)
        if (phase.step >= 0 && trace::isOfAStep(phase))
            ordered.push_back(phase);
    std::ranges::stable_sort(ordered, {}, &trace::PhaseSpan::beginNs);
    std::vector<StepBegin> begins;
    for (const trace::PhaseSpan& phase : ordered)
        if (begins.empty() || begins.back().step != phase.step)
            begins.push_back({phase.step, phase.beginNs});
    return begins;
}

StepMarks::StepMarks(FigureCanvas& canvas, Theme& theme)
    : m_canvas(canvas)
    , m_theme(theme)
{
    new PlotLayer(canvas, QStringLiteral("overlay"), [this](QPainter& painter) { paint(painter); });
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
        painter.setPen(QPen(m_theme.muted(), 1, Qt::DashLine));
        painter.drawLine(QLineF(x, plot.y, x, plot.bottom()));
        const figures::PlacedText words{fmt::format("step {}", step.step), x, plot.y - kWordsAbovePlot};
        if (words.box().x < free || words.box().right() > plot.right())
            continue;
        FigureInk::write(painter, words, m_theme.muted());
        free = words.box().right() + kGapOfWords;
    }
}

} // namespace headroom::ui
