// SPDX-License-Identifier: Apache-2.0
#include "ui/plot/PlotNavigator.h"

#include <algorithm>

namespace headroom::ui {
namespace {

using figures::Stretch;

constexpr double kNarrowest = 1e-6; ///< of the whole axis

/// Shares of `axis` as a stretch of `whole` that lies in it: shifted first, cut only where it is too long.
Stretch within(const figures::Axis& whole, const figures::Axis& axis, const Stretch& shares)
{
    double low = whole.fraction(axis.value(shares.low));
    double high = whole.fraction(axis.value(shares.high));
    const double span = std::clamp(high - low, kNarrowest, 1.0);
    const double middle = std::clamp((low + high) / 2, span / 2, 1 - span / 2);
    low = middle - span / 2;
    high = middle + span / 2;
    return {low <= 1e-12 ? whole.low : whole.value(low), high >= 1 - 1e-12 ? whole.high : whole.value(high)};
}

Stretch sharesOf(const figures::Axis& axis, const Stretch& stretch)
{
    return {axis.fraction(stretch.low), axis.fraction(stretch.high)};
}

Stretch around(double share, double factor)
{
    return {share - share / factor, share + (1 - share) / factor};
}

} // namespace

PlotNavigator::PlotNavigator(FigureCanvas& canvas)
    : QObject(&canvas)
    , m_canvas(canvas)
{
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

void PlotNavigator::setShares(const Stretch& x, const Stretch& y)
{
    const PlotScene& scene = m_canvas.scene();
    if (scene.isEmpty())
        return;
    figures::Window window = m_canvas.window();
    window.x = within(scene.whole->x, scene.x, x);
    if (movesY())
        window.y = within(scene.whole->y, scene.y, y);
    m_canvas.setWindow(window);
}

void PlotNavigator::zoom(const QPointF& place, double factor)
{
    const figures::Box& plot = m_canvas.scene().layout.plot;
    const double x = std::clamp((place.x() - plot.x) / plot.width, 0.0, 1.0);
    const double y = std::clamp((plot.bottom() - place.y()) / plot.height, 0.0, 1.0);
    setShares(around(x, factor), around(y, factor));
}

void PlotNavigator::zoomAtMiddle(double factor)
{
    const figures::Pixel middle = m_canvas.scene().layout.plot.centre();
    zoom({middle.x, middle.y}, factor);
    m_canvas.settle();
}

void PlotNavigator::zoomTo(const QRectF& box)
{
    const figures::Box& plot = m_canvas.scene().layout.plot;
    setShares({(box.left() - plot.x) / plot.width, (box.right() - plot.x) / plot.width},
        {(plot.bottom() - box.bottom()) / plot.height, (plot.bottom() - box.top()) / plot.height});
    m_canvas.settle();
}

void PlotNavigator::show(const figures::Window& window)
{
    const PlotScene& scene = m_canvas.scene();
    setShares(sharesOf(scene.x, window.x), sharesOf(scene.y, window.y));
    m_canvas.settle();
}

void PlotNavigator::pan(const QPointF& px)
{
    const figures::Box& plot = m_canvas.scene().layout.plot;
    const double x = -px.x() / plot.width;
    const double y = px.y() / plot.height;
    setShares({x, 1 + x}, {y, 1 + y});
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
