// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/TimelineLane.h"

#include "ui/plot/PlotLayer.h"

#include <fmt/format.h>

#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headroom::ui {
namespace {

constexpr double kNearestSteps = 6; ///< px: steps nearer to each other than that are no boundaries that could be seen
constexpr double kGapOfWords = 8; ///< px
constexpr double kAroundWords = 2; ///< px
constexpr double kWordsAbovePlot = 6; ///< px, from the base line to the plot

// One row of phases, so that the memory has the room: where phases nest, the innermost ones. Those around them are in
// their hover texts and in the table.
std::vector<figures::Span> innermost(std::vector<figures::Span> spans)
{
    std::ranges::sort(spans, {}, [](const figures::Span& span) { return std::pair(span.from, span.level); });
    std::vector<figures::Span> found;
    for (std::size_t i = 0; i < spans.size(); ++i) {
        const bool hasInner =
            i + 1 < spans.size() && spans[i + 1].level > spans[i].level && spans[i + 1].from < spans[i].to;
        if (hasInner)
            continue;
        found.push_back(spans[i]);
        found.back().level = 0;
    }
    return found;
}

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

TimelineLane::TimelineLane(Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_plot(new FigurePlot(theme))
{
    m_plot->setNavigation(FigurePlot::Navigation::Outside);
    m_plot->setZoomAxes(ZoomAxes::X);
    m_highlight = new LayerHighlight(canvas(), theme);
    m_steps = std::make_unique<StepMarks>(canvas(), theme);
    new PlotLayer(canvas(), QStringLiteral("overlay"), [this](QPainter& painter) {
        paintRange(painter);
        paintCursor(painter);
    });
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(m_plot);
    setFocusProxy(m_plot);
    setBackgroundRole(QPalette::Base); // an indent looks like the plot
    setAutoFillBackground(true);
}

void TimelineLane::setData(const LaneWindow& lane, const TimelineWindow& window, const figures::TimeWindow& visible)
{
    m_lane = lane;
    m_hasData = true;
    m_visible = visible;
    m_axis = figures::TimeAxis(window.window);
    m_steps->setSteps(
        window.phases && !lane.isWitness ? figures::stepBegins(*window.phases) : std::vector<StepBegin>(), m_axis);
    showFigure();
}

void TimelineLane::showFigure()
{
    figures::Figure shown = *m_lane.figure;
    shown.spans = innermost(std::move(shown.spans));
    if (!m_labels.notes)
        shown.notes.clear();
    if (!m_labels.legend)
        shown.legend.clear();
    if (!m_labels.timeName)
        shown.x.label.clear();
    std::erase_if(shown.legend, [this](const figures::LegendEntry& entry) {
        return std::ranges::find(m_labels.explained, entry.text) != m_labels.explained.end();
    });
    m_plot->setFigure(std::make_shared<const figures::Figure>(std::move(shown)), canvasWindow(m_visible));
}

void TimelineLane::setLabels(LaneLabels labels)
{
    if (labels == m_labels)
        return;
    m_labels = labels;
    if (m_hasData)
        showFigure();
}

void TimelineLane::setText(const QString& title, const QString& text)
{
    figures::Figure figure;
    figure.kind = "timeline";
    figure.title = title.toStdString();
    figure.emptyText = text.toStdString();
    figure.description = figure.emptyText;
    m_hasData = false;
    m_lane = {};
    m_steps->clear();
    m_plot->setFigure(std::make_shared<const figures::Figure>(std::move(figure)));
}

figures::Window TimelineLane::canvasWindow(const figures::TimeWindow& visible) const
{
    return {{m_axis.of(visible.beginNs + m_shiftNs), m_axis.of(visible.endNs + m_shiftNs)},
        {m_lane.figure->y.low, std::max(m_lane.figure->y.high, m_top)}};
}

void TimelineLane::setWindow(const figures::TimeWindow& visible)
{
    m_visible = visible;
    if (m_hasData)
        canvas().setWindow(canvasWindow(visible));
}

void TimelineLane::setTop(double top)
{
    if (top == m_top)
        return;
    m_top = top;
    if (!m_hasData)
        return;
    canvas().setWindow(canvasWindow(m_visible));
    canvas().settle();
}

void TimelineLane::setIndent(int px)
{
    layout()->setContentsMargins(px, 0, 0, 0);
}

double TimelineLane::pxOf(std::int64_t timeNs) const
{
    return m_plot->canvas().scene().xOf(m_axis.of(timeNs + m_shiftNs));
}

std::int64_t TimelineLane::timeAt(double px) const
{
    return m_axis.nsOf(m_plot->canvas().scene().xAt(px)) - m_shiftNs;
}

void TimelineLane::setCursorTime(std::optional<std::int64_t> timeNs)
{
    if (timeNs == m_cursorNs)
        return;
    m_cursorNs = timeNs;
    replotOverlay();
}

void TimelineLane::setRange(std::optional<figures::TimeWindow> range)
{
    m_range = range;
    replotOverlay();
}

void TimelineLane::replotOverlay()
{
    canvas().layer(QStringLiteral("overlay"))->replot();
}

void TimelineLane::paintCursor(QPainter& painter)
{
    const figures::Box& plot = canvas().scene().layout.plot;
    if (!m_hasData || !m_cursorNs)
        return;
    const double x = pxOf(*m_cursorNs);
    if (x < plot.x || x > plot.right())
        return;
    QColor colour = m_theme.ink();
    colour.setAlphaF(0.7F); // what it crosses stays readable
    painter.setPen(QPen(colour, 1));
    painter.drawLine(QLineF(x, plot.y, x, plot.bottom()));
}

void TimelineLane::paintRange(QPainter& painter)
{
    const figures::Box& plot = canvas().scene().layout.plot;
    if (!m_hasData || !m_range)
        return;
    const double from = std::clamp(pxOf(m_range->beginNs), plot.x, plot.right());
    const double to = std::clamp(pxOf(m_range->endNs), plot.x, plot.right());
    QColor fill = m_theme.accent();
    fill.setAlphaF(0.15F);
    painter.fillRect(QRectF(from, plot.y, to - from, plot.height), fill);
    painter.setPen(QPen(m_theme.accent(), 1));
    painter.drawLine(QLineF(from, plot.y, from, plot.bottom()));
    painter.drawLine(QLineF(to, plot.y, to, plot.bottom()));
}

} // namespace headroom::ui
