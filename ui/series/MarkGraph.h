// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <qcustomplot.h>

#include <cstddef>
#include <limits>
#include <vector>

namespace headroom::ui {

/// Marks of one look, or rings of one kind around marks. A shape whose middle lies between the axes' ends is drawn
/// whole; where there are very many, each is a copy of one picture.
class MarkGraph : public QCPGraph {
    Q_OBJECT

public:
    /// `marks`: what of a figure each point stands for.
    MarkGraph(QCPAxis* keyAxis, QCPAxis* valueAxis, std::vector<std::size_t> marks);

    /// The middle of a point's shape, in px of the plot.
    QPointF placeOf(int point) const;
    /// Whether a shape with this middle is drawn: on the edges of the plot or between them.
    bool isSeen(const QPointF& place) const;
    std::size_t markOf(int point) const { return m_marks.at(static_cast<std::size_t>(point)); }
    /// How many are drawn as shapes; all unless it is said.
    void setMostShapes(qsizetype count) { m_mostShapes = count; }

protected:
    QRect clipRect() const override;
    void drawScatterPlot(
        QCPPainter* painter, const QVector<QPointF>& scatters, const QCPScatterStyle& style) const override;

private:
    const QPixmap& picture(const QCPScatterStyle& style, double scale) const;

    std::vector<std::size_t> m_marks;
    qsizetype m_mostShapes = std::numeric_limits<qsizetype>::max();
    mutable QPixmap m_picture; ///< its middle is the middle of the mark
};

} // namespace headroom::ui
