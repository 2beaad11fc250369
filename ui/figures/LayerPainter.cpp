// SPDX-License-Identifier: Apache-2.0
#include "ui/figures/LayerPainter.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headroom::ui {
namespace {

/// Those of ascending points that lie on the axis, and their neighbours: a figure may hold much more than is seen.
std::pair<std::size_t, std::size_t> seen(const std::vector<figures::BandPoint>& points, const figures::Axis& axis)
{
    const auto isBefore = [](const auto& point, double x) { return point.x < x; };
    const auto isBehind = [](double x, const auto& point) { return x < point.x; };
    const auto first = std::lower_bound(points.begin(), points.end(), axis.low, isBefore);
    const auto last = std::upper_bound(first, points.end(), axis.high, isBehind);
    return {static_cast<std::size_t>(first == points.begin() ? 0 : first - points.begin() - 1),
        static_cast<std::size_t>(last == points.end() ? points.size() : last - points.begin() + 1)};
}

} // namespace

LayerPainter::LayerPainter(const PlotScene& scene, const FigureInk& ink, QPainter& painter)
    : m_scene(scene)
    , m_ink(ink)
    , m_painter(painter)
    , m_scale(painter.device()->devicePixelRatioF())
{
}

// Every column that a value's time reaches into, and the one it begins in, may show it.
std::vector<std::size_t> LayerPainter::valuesOfColumns(std::size_t begin, std::size_t end) const
{
    const figures::Box& plot = m_scene.layout.plot;
    const auto& top = layers().back().points;
    const long count = std::max(0L, std::lround(plot.width * m_scale)); // a plot may have no room yet
    std::vector<std::size_t> values(static_cast<std::size_t>(count), end);
    const auto columnOf = [&](double x) { return std::lround((m_scene.xOf(x) - plot.x) * m_scale); };
    for (std::size_t i = begin; i + 1 < end; ++i) {
        const long from = columnOf(top[i].x);
        const long last = std::min(std::max(columnOf(top[i + 1].x), from + 1), count);
        for (long column = std::max(from, 0L); column < last; ++column) {
            std::size_t& value = values[static_cast<std::size_t>(column)];
            if (value == end || top[i].high > top[value].high)
                value = i;
        }
    }
    return values;
}

std::vector<float> LayerPainter::edgesOf(const std::vector<std::size_t>& values, std::size_t end) const
{
    const figures::Box& plot = m_scene.layout.plot;
    const auto pixelOf = [&](double y) { return static_cast<float>((m_scene.yOf(y) - plot.y) * m_scale); };
    const auto axis = static_cast<float>(plot.height * m_scale);
    std::vector<float> edges;
    edges.reserve(values.size() * (layers().size() + 1));
    for (const std::size_t value : values) {
        for (auto layer = layers().rbegin(); layer != layers().rend(); ++layer)
            edges.push_back(value == end ? axis : pixelOf(layer->points[value].high));
        edges.push_back(axis);
    }
    return edges;
}

std::vector<QImage> LayerPainter::tiles() const
{
    std::vector<QImage> tiles{QImage()};
    for (auto layer = layers().rbegin(); layer != layers().rend(); ++layer)
        tiles.push_back(m_ink.tile(layer->look.series, m_scale));
    return tiles;
}

// Row by row, as the image lies in memory; each column goes on to its next lower layer where that begins.
void LayerPainter::fill(QImage& image, const std::vector<float>& edges, const std::vector<QImage>& tiles)
{
    const auto width = static_cast<std::size_t>(image.width());
    const auto step = tiles.size();
    const int side = tiles.back().width();
    std::vector<std::uint8_t> current(width, 0);
    std::vector<float> next(width);
    for (std::size_t x = 0; x < width; ++x)
        next[x] = edges[x * step];
    std::vector<const QRgb*> rows(tiles.size());
    for (int y = 0; y < image.height(); ++y) {
        const float middle = static_cast<float>(y) + 0.5F;
        for (std::size_t i = 1; i < tiles.size(); ++i)
            rows[i] = reinterpret_cast<const QRgb*>(tiles[i].constScanLine(y % side));
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        int inTile = 0;
        for (std::size_t x = 0; x < width; ++x) {
            while (middle >= next[x] && current[x] < step - 1)
                next[x] = edges[x * step + ++current[x]];
            line[x] = current[x] == 0 ? 0 : rows[current[x]][inTile];
            inTile = inTile + 1 == side ? 0 : inTile + 1;
        }
    }
}

void LayerPainter::paint()
{
    if (!m_scene.isEmpty() && !layers().empty())
        paintColumns(tiles());
}

void LayerPainter::paintVeil(const std::set<std::size_t>& kept, const QColor& veil)
{
    if (m_scene.isEmpty() || layers().empty())
        return;
    std::vector<QImage> covers{QImage()};
    for (auto layer = layers().rbegin(); layer != layers().rend(); ++layer) {
        QImage cover(1, 1, QImage::Format_ARGB32_Premultiplied);
        cover.fill(kept.contains(layer->look.series) ? QColor(Qt::transparent) : veil);
        covers.push_back(cover);
    }
    paintColumns(covers);
}

void LayerPainter::paintColumns(const std::vector<QImage>& tiles)
{
    const auto [begin, end] = seen(layers().front().points, m_scene.x);
    const figures::Box& plot = m_scene.layout.plot;
    const auto values = valuesOfColumns(begin, end);
    if (values.empty() || plot.height <= 0)
        return;
    QImage image(static_cast<int>(values.size()), static_cast<int>(std::lround(plot.height * m_scale)),
        QImage::Format_ARGB32_Premultiplied);
    fill(image, edgesOf(values, end), tiles);
    m_painter.save();
    m_painter.setClipRect(rectF(plot.grown(1)), Qt::IntersectClip);
    m_painter.drawImage(rectF(plot), image);
    m_painter.restore();
}

} // namespace headroom::ui
