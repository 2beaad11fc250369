// SPDX-License-Identifier: Apache-2.0
#include "ui/series/FigureAxes.h"

#include <QFontMetrics>
#include <QSignalBlocker>
#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace headroom::ui {
namespace {

int whole(double px)
{
    return static_cast<int>(std::lround(px));
}

} // namespace

FigureAxes::FigureAxes(QCustomPlot& plot)
    : m_plot(plot)
{
    plot.axisRect()->setAutoMargins(QCP::msNone);
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis}) {
        axis->setTickPen(Qt::NoPen);
        axis->setTickLength(0);
        axis->setSubTicks(false);
        axis->setNumberFormat(QStringLiteral("g")); // words as they are: no powers in the place of exponents
        axis->setLayer(QStringLiteral("grid"));
        axis->grid()->setZeroLinePen(Qt::NoPen);
        axis->setTicker(QSharedPointer<QCPAxisTickerText>::create());
    }
}

void FigureAxes::setInk(const FigureInk& ink)
{
    for (QCPAxis* axis : {m_plot.xAxis, m_plot.yAxis}) {
        axis->setTickLabelFont(FigureInk::font());
        axis->setBasePen(QPen(ink.muted(), 1));
        axis->grid()->setPen(QPen(ink.grid(), 1));
    }
}

// QCustomPlot's rectangles are whole px, and the last px of one is inside it.
void FigureAxes::placeRectangle(const figures::Box& box)
{
    const QRect rect(QPoint(whole(box.x), whole(box.y) + 1), QSize(whole(box.width), whole(box.height)));
    const QRect all = m_plot.viewport();
    m_plot.axisRect()->setMargins(
        QMargins(rect.left(), rect.top(), all.right() - rect.right(), all.bottom() - rect.bottom()));
    for (const auto phase : {QCPLayoutElement::upPreparation, QCPLayoutElement::upMargins, QCPLayoutElement::upLayout})
        m_plot.plotLayout()->update(phase); // px are asked for before the next picture
}

void FigureAxes::place(const PlotScene& scene, const FigureInk& ink)
{
    m_plot.axisRect()->setVisible(!scene.isEmpty());
    place(*m_plot.xAxis, scene.x, scene.layout.xTicks, [&](double px) { return scene.xAt(px); });
    place(*m_plot.yAxis, scene.y, scene.layout.yTicks, [&](double px) { return scene.yAt(px); });
    const bool category = scene.y.scale == figures::Scale::Category;
    m_plot.yAxis->setRangeReversed(category);
    m_plot.yAxis->grid()->setPen(category ? QPen(Qt::NoPen) : QPen(ink.grid(), 1));
    m_plot.yAxis->setBasePen(scene.namesAreAboveRows() ? QPen(Qt::NoPen) : QPen(ink.muted(), 1));
    m_plot.xAxis->setTickLabelColor(ink.tickWords(scene.x));
    m_plot.yAxis->setTickLabelColor(ink.tickWords(scene.y));
    placeWords(scene);
}

void FigureAxes::place(QCPAxis& axis, const figures::Axis& shown, const std::vector<figures::PlacedTick>& ticks,
    const std::function<double(double)>& valueAt)
{
    const QSignalBlocker quiet(axis);
    axis.setScaleType(shown.scale == figures::Scale::Logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    axis.setRange(shown.low, shown.high);
    auto ticker = axis.ticker().staticCast<QCPAxisTickerText>();
    ticker->clear();
    for (const figures::PlacedTick& tick : ticks)
        ticker->addTick(std::clamp(valueAt(tick.at), shown.low, shown.high), QString::fromStdString(tick.text.text));
}

void FigureAxes::placeWords(const PlotScene& scene)
{
    const figures::FigureLayout& layout = scene.layout;
    m_plot.yAxis->setTickLabels(!scene.namesAreAboveRows());
    if (!layout.xTicks.empty()) {
        const int ascent = QFontMetrics(m_plot.xAxis->tickLabelFont()).ascent();
        m_plot.xAxis->setTickLabelPadding(whole(layout.xTicks.front().text.y - layout.plot.bottom()) - ascent);
    }
    if (!layout.yTicks.empty())
        m_plot.yAxis->setTickLabelPadding(whole(layout.plot.x - layout.yTicks.front().text.x));
}

} // namespace headroom::ui
