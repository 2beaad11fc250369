// SPDX-License-Identifier: Apache-2.0
#include "ui/plot/PlotNavigator.h"

#include <algorithm>

namespace headroom::ui {
namespace {

constexpr std::size_t kMost = 100;

using figures::Stretch;

constexpr double kNarrowest = 1e-6; ///< of the whole axis

/// A range of an axis that lies in `whole`: shifted first, cut only where it is too long.
Stretch within(const figures::Axis& whole, const QCPRange& range)
{
    double low = whole.fraction(range.lower);
    double high = whole.fraction(range.upper);
    const double span = std::clamp(high - low, kNarrowest, 1.0);
    const double middle = std::clamp((low + high) / 2, span / 2, 1 - span / 2);
    low = middle - span / 2;
    high = middle + span / 2;
    return {low <= 1e-12 ? whole.low : whole.value(low), high >= 1 - 1e-12 ? whole.high : whole.value(high)};
}

} // namespace

void ZoomHistory::restart(const figures::Window& window)
{
    m_windows = {window};
    m_current = 0;
}

void ZoomHistory::visit(const figures::Window& window)
{
    if (window == m_windows[m_current])
        return;
    m_windows.resize(m_current + 1);
    m_windows.push_back(window);
    if (m_windows.size() > kMost)
        m_windows.erase(m_windows.begin());
    m_current = m_windows.size() - 1;
}

const figures::Window& ZoomHistory::back()
{
    if (canGoBack())
        --m_current;
    return m_windows[m_current];
}

const figures::Window& ZoomHistory::forward()
{
    if (canGoForward())
        ++m_current;
    return m_windows[m_current];
}

PlotNavigator::PlotNavigator(FigureCanvas& canvas)
    : QObject(&canvas)
    , m_canvas(canvas)
{
    for (QCPAxis* axis : {canvas.xAxis, canvas.yAxis})
        connect(axis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this, &PlotNavigator::keepWithin);
    connect(&canvas, &FigureCanvas::windowChanged, this, &PlotNavigator::changed);
    connect(&canvas, &FigureCanvas::settled, this, [this](const figures::Window& window) {
        m_history.visit(window);
        Q_EMIT changed();
    });
}

void PlotNavigator::restart()
{
    m_history.restart(m_canvas.window());
    Q_EMIT changed();
}

bool PlotNavigator::movesY() const
{
    return m_axes == ZoomAxes::Both && m_canvas.scene().y.scale != figures::Scale::Category;
}

std::vector<QCPAxis*> PlotNavigator::moved() const
{
    if (m_canvas.scene().isEmpty())
        return {};
    return movesY() ? std::vector{m_canvas.xAxis, m_canvas.yAxis} : std::vector{m_canvas.xAxis};
}

void PlotNavigator::chooseAxes()
{
    QCPAxis* upright = movesY() ? m_canvas.yAxis : nullptr;
    m_canvas.axisRect()->setRangeDragAxes(m_canvas.xAxis, upright);
    m_canvas.axisRect()->setRangeZoomAxes(m_canvas.xAxis, upright);
}

void PlotNavigator::keepWithin()
{
    const figures::Figure& whole = *m_canvas.scene().whole;
    figures::Window window = m_canvas.window();
    window.x = within(whole.x, m_canvas.xAxis->range());
    if (movesY())
        window.y = within(whole.y, m_canvas.yAxis->range());
    m_canvas.follow(window);
}

void PlotNavigator::zoom(const QPointF& place, double factor)
{
    for (QCPAxis* axis : moved())
        axis->scaleRange(1 / factor, axis->pixelToCoord(axis == m_canvas.xAxis ? place.x() : place.y()));
    m_canvas.replot(QCustomPlot::rpQueuedReplot);
}

void PlotNavigator::zoomAtMiddle(double factor)
{
    const figures::Pixel middle = m_canvas.scene().layout.plot.centre();
    zoom({middle.x, middle.y}, factor);
    m_canvas.settle();
}

void PlotNavigator::pan(const QPointF& px)
{
    for (QCPAxis* axis : moved()) {
        const double by = axis == m_canvas.xAxis ? px.x() : px.y();
        const QCPRange range = axis->range();
        axis->setRange(axis->pixelToCoord(axis->coordToPixel(range.lower) - by),
            axis->pixelToCoord(axis->coordToPixel(range.upper) - by));
    }
    m_canvas.replot(QCustomPlot::rpQueuedReplot);
}

void PlotNavigator::fit()
{
    jump(figures::windowOf(*m_canvas.scene().whole));
}

void PlotNavigator::back()
{
    if (m_canvas.isMoving())
        m_canvas.settle();
    jump(m_history.back());
}

void PlotNavigator::forward()
{
    if (canGoForward())
        jump(m_history.forward());
}

// Settling visits the window, which is where the history is already.
void PlotNavigator::jump(const figures::Window& window)
{
    m_canvas.setWindow(window);
    m_canvas.settle();
}

bool PlotNavigator::canFit() const
{
    return !m_canvas.scene().isEmpty() && m_canvas.window() != figures::windowOf(*m_canvas.scene().whole);
}

bool PlotNavigator::canGoBack() const
{
    return m_canvas.isMoving() || m_history.canGoBack();
}

} // namespace headroom::ui
