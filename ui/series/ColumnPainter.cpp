// SPDX-License-Identifier: Apache-2.0
#include "ui/series/ColumnPainter.h"

#include <QImage>

#include <algorithm>
#include <cmath>

namespace headroom::ui {
namespace {

constexpr double kDense = 1; ///< points of a line for each px: a step has two
constexpr double kHalfLine = 0.9; ///< px: as strong as a line of 1.5 px with soft edges

} // namespace

ColumnPainter::ColumnPainter(const QRectF& plot, QPainter& painter)
    : m_plot(plot)
    , m_painter(painter)
    , m_scale(painter.device()->devicePixelRatioF())
    , m_columns(static_cast<std::size_t>(std::max(0L, std::lround(plot.width() * m_scale)))) // it may have no room yet
{
}

bool ColumnPainter::suits(const QVector<QPointF>& line, const QRectF& plot)
{
    return static_cast<double>(line.size()) > kDense * plot.width();
}

void ColumnPainter::add(const QVector<QPointF>& line)
{
    for (qsizetype i = 1; i < line.size(); ++i)
        add(line[i - 1], line[i]);
}

// Every column that [from, to) reaches into, and the one it begins in.
void ColumnPainter::add(const QPointF& from, const QPointF& to)
{
    const auto placeOf = [&](double px) { return std::lround((px - m_plot.x()) * m_scale); };
    const auto count = static_cast<long>(m_columns.size());
    const long first = std::max(placeOf(from.x()), 0L);
    const long last = std::min(std::max(placeOf(to.x()), placeOf(from.x()) + 1), count);
    const auto high = static_cast<float>((std::min(from.y(), to.y()) - m_plot.y()) * m_scale);
    const auto low = static_cast<float>((std::max(from.y(), to.y()) - m_plot.y()) * m_scale);
    for (long i = first; i < last; ++i) {
        Column& column = m_columns[static_cast<std::size_t>(i)];
        const bool isNew = column.isEmpty();
        column.top = isNew ? high : std::min(column.top, high);
        column.bottom = isNew ? low : std::max(column.bottom, low);
    }
}

void ColumnPainter::addFloor()
{
    const auto floor = static_cast<float>(m_plot.height() * m_scale);
    for (Column& column : m_columns)
        if (!column.isEmpty())
            column.bottom = std::max(column.bottom, floor);
}

std::pair<int, int> ColumnPainter::rows() const
{
    const float all = std::round(static_cast<float>(m_plot.height() * m_scale));
    float first = all;
    float last = 0;
    for (const Column& column : m_columns)
        if (!column.isEmpty()) {
            first = std::min(first, column.top);
            last = std::max(last, column.bottom);
        }
    return {static_cast<int>(std::max(std::floor(first), 0.0F)), static_cast<int>(std::min(std::ceil(last), all))};
}

// Row by row, as the image lies in memory.
void ColumnPainter::fill(const QColor& colour)
{
    const auto [first, last] = rows();
    if (first >= last)
        return;
    QImage image(static_cast<int>(m_columns.size()), last - first, QImage::Format_ARGB32_Premultiplied);
    const QRgb inside = qPremultiply(colour.rgba());
    for (int y = 0; y < image.height(); ++y) {
        const float middle = static_cast<float>(first + y) + 0.5F;
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        for (std::size_t x = 0; x < m_columns.size(); ++x)
            line[x] = middle >= m_columns[x].top && middle < m_columns[x].bottom ? inside : 0;
    }
    m_painter.drawImage(
        QRectF(m_plot.x(), m_plot.y() + first / m_scale, m_plot.width(), image.height() / m_scale), image);
}

void ColumnPainter::stroke(const QPen& pen)
{
    const QVector<qreal> dashes = pen.dashPattern();
    const double dash = dashes.isEmpty() ? 1 : pen.widthF() * dashes[0];
    const double period = dashes.isEmpty() ? 1 : dash + pen.widthF() * dashes[1];
    QVector<QRectF> boxes;
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        const Column& column = m_columns[i];
        const double x = static_cast<double>(i) / m_scale;
        const double height = (column.bottom - column.top) / m_scale + 2 * kHalfLine;
        if (!column.isEmpty() && (std::fmod(x, period) < dash || height > period))
            boxes.append({m_plot.x() + x, m_plot.y() + column.top / m_scale - kHalfLine, 1 / m_scale, height});
    }
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(pen.color());
    m_painter.drawRects(boxes);
}

} // namespace headroom::ui
