// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <qcustomplot.h>

namespace headroom::ui {

/// A graph that paints itself column by column where it has more points than the plot has px: outlines of thousands
/// of values that go up and down at every px take ten times as long.
class SeriesGraph : public QCPGraph {
    Q_OBJECT

public:
    SeriesGraph(QCPAxis* keyAxis, QCPAxis* valueAxis);

protected:
    void drawFill(QCPPainter* painter, QVector<QPointF>* lines) const override;
    void drawLinePlot(QCPPainter* painter, const QVector<QPointF>& lines) const override;

private:
    /// Between the axes' ends: the rectangle of the axes begins a px below.
    QRectF plotted() const;
};

} // namespace headroom::ui
