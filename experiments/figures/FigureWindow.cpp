// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/FigureWindow.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace headroom::figures {
namespace {

bool holds(const Window& window, double x, double y)
{
    return window.x.holds(x) && window.y.holds(y);
}

double clamped(const Stretch& stretch, double value)
{
    return std::clamp(value, stretch.low, stretch.high);
}

/// Narrows [from, to], shares of the way from `begin` by `way`, to where it lies in the stretch.
bool narrow(const Stretch& stretch, double begin, double way, double& from, double& to)
{
    if (way == 0)
        return stretch.holds(begin);
    double enters = (stretch.low - begin) / way;
    double leaves = (stretch.high - begin) / way;
    if (enters > leaves)
        std::swap(enters, leaves);
    from = std::max(from, enters);
    to = std::min(to, leaves);
    return from <= to;
}

std::optional<std::pair<Point, Point>> cut(const Window& window, const Point& a, const Point& b)
{
    double from = 0;
    double to = 1;
    const Point way{b.x - a.x, b.y - a.y};
    if (!narrow(window.x, a.x, way.x, from, to) || !narrow(window.y, a.y, way.y, from, to))
        return std::nullopt;
    const auto at = [&](double share) {
        return Point{clamped(window.x, a.x + share * way.x), clamped(window.y, a.y + share * way.y)};
    };
    return std::pair{from == 0 ? a : at(from), to == 1 ? b : at(to)};
}

/// The pieces of a line that lie in the window.
std::vector<Polyline> pieces(const Polyline& line, const Window& window)
{
    std::vector<Polyline> result;
    for (std::size_t i = 1; i < line.points.size(); ++i) {
        const auto piece = cut(window, line.points[i - 1], line.points[i]);
        if (!piece)
            continue;
        if (result.empty() || result.back().points.back() != piece->first)
            result.push_back({line.role, line.look, {piece->first}});
        result.back().points.push_back(piece->second);
    }
    return result;
}

std::vector<BandPoint> cutPoints(const std::vector<BandPoint>& points, const Window& window)
{
    std::vector<BandPoint> result;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const BandPoint& point = points[i];
        const bool endsBefore = i + 1 < points.size() && points[i + 1].x <= window.x.low;
        if (endsBefore || (point.x > window.x.high && (i == 0 || points[i - 1].x > window.x.high)))
            continue;
        result.push_back({clamped(window.x, point.x), clamped(window.y, point.low), clamped(window.y, point.high)});
    }
    return result;
}

template <typename Thing, typename Keep> std::vector<Thing> kept(const std::vector<Thing>& things, const Keep& keep)
{
    std::vector<Thing> result;
    std::copy_if(things.begin(), things.end(), std::back_inserter(result), keep);
    return result;
}

std::vector<Mark> marksIn(const std::vector<Mark>& marks, const Window& window)
{
    auto result = kept(marks, [&](const Mark& mark) { return holds(window, mark.x, mark.y); });
    for (Mark& mark : result)
        if (mark.error)
            mark.error = ErrorBar{clamped(window.y, mark.error->low), clamped(window.y, mark.error->high)};
    return result;
}

void cutLines(const Figure& figure, const Window& window, Figure& result)
{
    for (const Layer& layer : figure.layers)
        if (auto points = cutPoints(layer.points, window); points.size() > 1)
            result.layers.push_back({layer.look, layer.name, std::move(points)});
    for (const Band& band : figure.bands)
        if (auto points = cutPoints(band.points, window); points.size() > 1)
            result.bands.push_back({band.look, std::move(points), band.spread, band.below});
    for (const Polyline& line : figure.lines)
        for (Polyline& piece : pieces(line, window))
            result.lines.push_back(std::move(piece));
    result.references = kept(figure.references, [&](const ReferenceLine& line) {
        return (line.direction == Direction::Vertical ? window.x : window.y).holds(line.at);
    });
}

void cutRows(const Figure& figure, const Window& window, Figure& result)
{
    result.bars = figure.bars;
    for (BarSegment& bar : result.bars) {
        bar.from = clamped(window.x, bar.from);
        bar.to = clamped(window.x, bar.to);
    }
    result.rowTexts = figure.rowTexts;
    for (RowText& row : result.rowTexts)
        row.at = clamped(window.x, row.at);
    result.spans = figure.spans;
    for (Span& span : result.spans) {
        span.from = clamped(window.x, span.from);
        span.to = clamped(window.x, span.to);
    }
}

} // namespace

Window windowOf(const Figure& figure)
{
    return {{figure.x.low, figure.x.high}, {figure.y.low, figure.y.high}};
}

Axis windowed(const Axis& axis, const Stretch& stretch)
{
    if (axis.scale == Scale::Category || stretch == Stretch{axis.low, axis.high})
        return axis;
    return {axis.label, axis.scale, stretch.low, stretch.high,
        niceTicks(axis.scale, stretch.low, stretch.high, kUsualTicks)};
}

Figure windowed(const Figure& figure, const Window& window)
{
    Figure result;
    result.kind = figure.kind;
    result.title = figure.title;
    result.description = figure.description;
    result.notes = figure.notes;
    result.emptyText = figure.emptyText;
    result.x = windowed(figure.x, window.x);
    result.y = windowed(figure.y, window.y);
    const Window seen = windowOf(result);
    cutLines(figure, seen, result);
    cutRows(figure, seen, result);
    result.marks = marksIn(figure.marks, seen);
    result.stripTitle = figure.stripTitle;
    result.strip = figure.strip;
    result.legend = figure.legend;
    return result;
}

} // namespace headroom::figures
