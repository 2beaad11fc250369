// SPDX-License-Identifier: Apache-2.0
#include "ui/series/ColumnPainter.h"

#include <algorithm>
#include <cmath>

namespace headroom::ui {
namespace {

constexpr double kDense = 0.25; ///< points of a line for each px: a step has two
constexpr double kHalfLine = 0.9; ///< px: as strong as a line of 1.5 px with soft edges

constexpr std::size_t kBlock = 16; ///< columns whose pixels are painted together
constexpr int kShades = 255; ///< of pixels that a line covers in part

// From nothing to all of a pixel.
std::vector<QRgb> shadesOf(const QColor& ink)
{
    std::vector<QRgb> shades;
    for (int share = 0; share <= kShades; ++share)
        shades.push_back(qPremultiply(qRgba(ink.red(), ink.green(), ink.blue(), ink.alpha() * share / kShades)));
    return shades;
}

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
    for (long i = first; i < last; ++i)
        m_columns[static_cast<std::size_t>(i)].join({high, low});
}

void ColumnPainter::Column::join(const Column& other)
{
    if (other.isEmpty())
        return;
    *this = isEmpty() ? other : Column{std::min(top, other.top), std::max(bottom, other.bottom)};
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
    draw(image, first);
}

// Into an image, as the painter would take longer for a thousand thin boxes than for all pixels.
void ColumnPainter::stroke(const QPen& pen)
{
    widen(static_cast<std::size_t>(std::lround((pen.widthF() * m_scale - 1) / 2)));
    thicken(static_cast<float>(kHalfLine * m_scale));
    const auto [first, last] = rows();
    if (first >= last)
        return;
    leaveGaps(pen);
    QImage image(static_cast<int>(m_columns.size()), last - first, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    const std::vector<QRgb> shades = shadesOf(pen.color());
    for (std::size_t x = 0; x < m_columns.size(); x += kBlock)
        paint(std::span(m_columns).subspan(x, std::min(kBlock, m_columns.size() - x)), shades, static_cast<int>(x),
            first, image);
    draw(image, first);
}

// A line that goes up or down is as wide as one that goes along, to the nearest pixel.
void ColumnPainter::widen(std::size_t by)
{
    if (by == 0)
        return;
    const std::vector<Column> narrow = m_columns;
    for (std::size_t x = 0; x < narrow.size(); ++x)
        for (std::size_t near = x - std::min(by, x); near <= x + by && near < narrow.size(); ++near)
            m_columns[x].join(narrow[near]);
}

void ColumnPainter::thicken(float by)
{
    for (Column& column : m_columns)
        if (!column.isEmpty())
            column = {column.top - by, column.bottom + by};
}

// Between the dashes, unless the line goes up or down by more than one.
void ColumnPainter::leaveGaps(const QPen& pen)
{
    const QVector<qreal> dashes = pen.dashPattern();
    if (dashes.isEmpty())
        return;
    const double dash = pen.widthF() * dashes[0];
    const double period = dash + pen.widthF() * dashes[1];
    for (std::size_t x = 0; x < m_columns.size(); ++x) {
        Column& column = m_columns[x];
        const double height = (column.bottom - column.top) / m_scale;
        if (height <= period && std::fmod(static_cast<double>(x) / m_scale, period) >= dash)
            column = {};
    }
}

// Row by row in blocks of columns, as their pixels share lines of the processor's cache. Pixels at the ends of a column
// are as strong as they are covered.
void ColumnPainter::paint(
    std::span<const Column> columns, std::span<const QRgb> shades, int firstColumn, int firstRow, QImage& image)
{
    float top = static_cast<float>(image.height());
    float bottom = 0;
    for (const Column& column : columns)
        if (!column.isEmpty()) {
            top = std::min(top, column.top - static_cast<float>(firstRow));
            bottom = std::max(bottom, column.bottom - static_cast<float>(firstRow));
        }
    const int last = std::min(static_cast<int>(std::ceil(bottom)), image.height());
    for (int row = std::max(static_cast<int>(top), 0); row < last; ++row) {
        auto* pixel = reinterpret_cast<QRgb*>(image.bits()) + static_cast<qsizetype>(row) * image.width() + firstColumn;
        const auto upper = static_cast<float>(firstRow + row);
        for (const Column& column : columns) {
            const float share = std::min(column.bottom, upper + 1) - std::max(column.top, upper);
            *pixel++ = shades[static_cast<std::size_t>(std::clamp(share, 0.0F, 1.0F) * kShades)];
        }
    }
}

void ColumnPainter::draw(const QImage& image, int firstRow)
{
    m_painter.drawImage(
        QRectF(m_plot.x(), m_plot.y() + firstRow / m_scale, m_plot.width(), image.height() / m_scale), image);
}

} // namespace headroom::ui
