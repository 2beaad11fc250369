// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QImage>
#include <QPainter>
#include <QPen>
#include <QPointF>
#include <QRectF>
#include <QVector>

#include <span>
#include <utility>
#include <vector>

namespace headroom::ui {

/// Paints lines and what lies between them column of pixels by column of pixels, each from the least to the most that
/// goes through it. Where there are as many values as columns that looks like outlines do, and costs a small part.
class ColumnPainter {
public:
    /// `plot`: what lies between the axes' ends, in px of the painter.
    ColumnPainter(const QRectF& plot, QPainter& painter);

    /// Whether a line has so many points that columns are as good as outlines.
    static bool suits(const QVector<QPointF>& line, const QRectF& plot);

    /// The columns that a line goes through reach from its least to its most there. In px, from left to right.
    void add(const QVector<QPointF>& line);
    /// Those that something was added to reach down to the plot's lower edge.
    void addFloor();

    void fill(const QColor& colour);
    /// As thick as a line, with its dashes.
    void stroke(const QPen& pen);

private:
    /// From `top` to `bottom`, pixels of the device below the plot's upper edge; empty where the one is below the
    /// other.
    struct Column {
        float top = 0;
        float bottom = -1;

        bool isEmpty() const { return bottom < top; }
        /// Reaches as far as both.
        void join(const Column& other);
    };

    void add(const QPointF& from, const QPointF& to);
    void widen(std::size_t by);
    void thicken(float by);
    void leaveGaps(const QPen& pen);
    static void paint(
        std::span<const Column> columns, std::span<const QRgb> shades, int firstColumn, int firstRow, QImage& image);
    /// `firstRow`: where the image begins below the plot's upper edge, in pixels of the device.
    void draw(const QImage& image, int firstRow);
    /// The first one that any column reaches into, and the one behind the last.
    std::pair<int, int> rows() const;

    QRectF m_plot;
    QPainter& m_painter;
    double m_scale; ///< pixels of the device for each px
    std::vector<Column> m_columns; ///< of the device's pixels, from the plot's left edge on
};

} // namespace headroom::ui
