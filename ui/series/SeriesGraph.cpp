// SPDX-License-Identifier: Apache-2.0
#include "ui/series/SeriesGraph.h"

#include "ui/series/ColumnPainter.h"

namespace headroom::ui {

SeriesGraph::SeriesGraph(QCPAxis* keyAxis, QCPAxis* valueAxis)
    : QCPGraph(keyAxis, valueAxis)
{
    setSelectable(QCP::stNone);
}

QRectF SeriesGraph::plotted() const
{
    return QRectF(keyAxis()->axisRect()->rect()).translated(0, -1);
}

void SeriesGraph::drawFill(QCPPainter* painter, QVector<QPointF>* lines) const
{
    if (brush().style() == Qt::NoBrush)
        return;
    if (!ColumnPainter::suits(*lines, plotted()))
        return QCPGraph::drawFill(painter, lines);
    ColumnPainter columns(plotted(), *painter);
    columns.add(*lines);
    if (const auto* other = qobject_cast<const SeriesGraph*>(channelFillGraph())) {
        QVector<QPointF> edge;
        other->getLines(&edge, QCPDataRange(0, other->dataCount()));
        columns.add(edge);
    } else {
        columns.addFloor();
    }
    columns.fill(brush().color());
}

void SeriesGraph::drawLinePlot(QCPPainter* painter, const QVector<QPointF>& lines) const
{
    if (pen().style() == Qt::NoPen)
        return;
    if (!ColumnPainter::suits(lines, plotted()))
        return QCPGraph::drawLinePlot(painter, lines);
    ColumnPainter columns(plotted(), *painter);
    columns.add(lines);
    columns.stroke(pen());
}

} // namespace headroom::ui
