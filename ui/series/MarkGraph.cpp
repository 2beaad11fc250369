// SPDX-License-Identifier: Apache-2.0
#include "ui/series/MarkGraph.h"

#include <algorithm>
#include <cmath>

namespace headroom::ui {

MarkGraph::MarkGraph(QCPAxis* keyAxis, QCPAxis* valueAxis, std::vector<std::size_t> marks)
    : QCPGraph(keyAxis, valueAxis)
    , m_marks(std::move(marks))
{
    setLineStyle(lsNone);
}

QPointF MarkGraph::placeOf(int point) const
{
    return coordsToPixels(dataMainKey(point), dataMainValue(point));
}

// The rectangle of the axes begins a px below their upper end; those on an edge count.
bool MarkGraph::isSeen(const QPointF& place) const
{
    return QRectF(keyAxis()->axisRect()->rect()).adjusted(-0.01, -1.01, 0.01, -0.99).contains(place);
}

QRect MarkGraph::clipRect() const
{
    return parentPlot()->viewport();
}

void MarkGraph::drawScatterPlot(
    QCPPainter* painter, const QVector<QPointF>& scatters, const QCPScatterStyle& style) const
{
    QVector<QPointF> seen;
    std::copy_if(scatters.begin(), scatters.end(), std::back_inserter(seen),
        [&](const QPointF& place) { return isSeen(place); });
    if (seen.size() <= m_mostShapes)
        return QCPGraph::drawScatterPlot(painter, seen, style);
    const double scale = painter->device()->devicePixelRatioF();
    const QPixmap& copied = picture(style, scale);
    const QSizeF size = copied.deviceIndependentSize();
    for (const QPointF& place : std::as_const(seen))
        painter->drawPixmap(place - QPointF(size.width(), size.height()) / 2, copied);
}

const QPixmap& MarkGraph::picture(const QCPScatterStyle& style, double scale) const
{
    if (!m_picture.isNull() && m_picture.devicePixelRatio() == scale)
        return m_picture;
    const QRectF shape = style.customPath().boundingRect();
    const int reach =
        static_cast<int>(std::ceil(std::max(shape.width(), shape.height()) / 2 * 1.25 + style.pen().widthF()));
    m_picture = QPixmap(QSize(2 * reach, 2 * reach) * scale);
    m_picture.setDevicePixelRatio(scale);
    m_picture.fill(Qt::transparent);
    QCPPainter painter(&m_picture);
    painter.setRenderHint(QPainter::Antialiasing);
    style.applyTo(&painter, QPen(Qt::NoPen));
    style.drawShape(&painter, reach, reach);
    return m_picture;
}

} // namespace headroom::ui
