// SPDX-License-Identifier: Apache-2.0
#include "ui/figures/ColumnPainter.h"

#include <algorithm>
#include <cmath>

namespace headroom::ui {
namespace {

constexpr double kDense = 0.5; ///< values for each px
constexpr double kColumnUnder = 0.12; ///< opacities, as outlines have them
constexpr double kColumnSpread = 0.3;
constexpr double kHalfLine = 0.9; ///< px: as strong as a line of 1.5 px with soft edges

/// What painting first one and then the other comes to.
QRgb over(const QColor& upper, const QColor& lower)
{
    const float alpha = upper.alphaF() + lower.alphaF() * (1 - upper.alphaF());
    const auto mix = [&](float a, float b) {
        return (a * upper.alphaF() + b * lower.alphaF() * (1 - upper.alphaF())) / alpha;
    };
    return QColor::fromRgbF(
        mix(upper.redF(), lower.redF()), mix(upper.greenF(), lower.greenF()), mix(upper.blueF(), lower.blueF()), alpha)
        .rgba();
}

} // namespace

ColumnPainter::ColumnPainter(const PlotScene& scene, const FigureInk& ink, QPainter& painter)
    : m_scene(scene)
    , m_ink(ink)
    , m_painter(painter)
    , m_scale(painter.device()->devicePixelRatioF())
    , m_columns(static_cast<std::size_t>(std::lround(scene.layout.plot.width * m_scale)))
{
}

bool ColumnPainter::suits(const PlotScene& scene, std::size_t seen)
{
    return static_cast<double>(seen) > kDense * scene.layout.plot.width;
}

// Every column that [from, to) reaches into, and the one it begins in.
void ColumnPainter::add(double from, double to, double top, double bottom)
{
    const figures::Box& plot = m_scene.layout.plot;
    const auto placeOf = [&](double px) { return std::lround((px - plot.x) * m_scale); };
    const auto count = static_cast<long>(m_columns.size());
    const long first = std::max(placeOf(from), 0L);
    const long last = std::min(std::max(placeOf(to), placeOf(from) + 1), count);
    for (long i = first; i < last; ++i) {
        Column& column = m_columns[static_cast<std::size_t>(i)];
        const bool isNew = column.bottom < column.top;
        const auto high = static_cast<float>((top - plot.y) * m_scale);
        const auto low = static_cast<float>((bottom - plot.y) * m_scale);
        column.top = isNew ? high : std::min(column.top, high);
        column.bottom = isNew ? low : std::max(column.bottom, low);
    }
}

// A value holds until the next one's place.
void ColumnPainter::paintBand(const figures::Band& band, std::size_t begin, std::size_t end, Fill fill)
{
    const figures::Box& plot = m_scene.layout.plot;
    for (std::size_t i = begin; i + 1 < end; ++i)
        add(m_scene.xOf(band.points[i].x), m_scene.xOf(band.points[i + 1].x), m_scene.yOf(band.points[i].high),
            m_scene.yOf(band.points[i].low));
    const QColor spread = m_ink.series(band.look.series, kColumnSpread);
    const QColor under = m_ink.series(band.look.series, kColumnUnder);
    QImage image(static_cast<int>(m_columns.size()), static_cast<int>(std::lround(plot.height * m_scale)),
        QImage::Format_ARGB32_Premultiplied);
    if (fill == Fill::Fade)
        this->fill(image, qPremultiply(m_ink.fade().rgba()), 0);
    else if (fill == Fill::SpreadAndUnder)
        this->fill(image, qPremultiply(over(spread, under)), qPremultiply(under.rgba()));
    else
        this->fill(image, qPremultiply(spread.rgba()), 0);
    m_painter.drawImage(rectF(plot), image);
}

// Row by row, as the image lies in memory.
void ColumnPainter::fill(QImage& image, QRgb spread, QRgb under) const
{
    for (int y = 0; y < image.height(); ++y) {
        const float middle = static_cast<float>(y) + 0.5F;
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        for (std::size_t x = 0; x < m_columns.size(); ++x) {
            const Column& column = m_columns[x];
            const bool isThere = column.top <= column.bottom && middle >= column.top;
            line[x] = !isThere ? 0 : middle < column.bottom ? spread : under;
        }
    }
}

// From the least to the most that the line goes through in a column, as thick as its pen.
void ColumnPainter::paintLine(const figures::Polyline& line, std::size_t begin, std::size_t end)
{
    for (std::size_t i = begin; i + 1 < end; ++i) {
        const double from = m_scene.yOf(line.points[i].y);
        const double to = m_scene.yOf(line.points[i + 1].y);
        add(m_scene.xOf(line.points[i].x), m_scene.xOf(line.points[i + 1].x), std::min(from, to) - kHalfLine,
            std::max(from, to) + kHalfLine);
    }
    const figures::Box& plot = m_scene.layout.plot;
    const QPen pen = m_ink.counterPen(line.look);
    const QVector<qreal> dashes = pen.dashPattern();
    const double dash = dashes.isEmpty() ? 1 : pen.widthF() * dashes[0];
    const double period = dashes.isEmpty() ? 1 : dash + pen.widthF() * dashes[1];
    QVector<QRectF> boxes;
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        const Column& column = m_columns[i];
        const double x = static_cast<double>(i) / m_scale;
        const double height = (column.bottom - column.top) / m_scale;
        if (height > 0 && (std::fmod(x, period) < dash || height > period))
            boxes.append({plot.x + x, plot.y + column.top / m_scale, 1 / m_scale, height});
    }
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(pen.color());
    m_painter.drawRects(boxes);
}

} // namespace headroom::ui
