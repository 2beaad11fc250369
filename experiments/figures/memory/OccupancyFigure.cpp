// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/memory/OccupancyFigure.h"

#include "core/base/Quantities.h"
#include <fmt/format.h>

#include <algorithm>

namespace headroom::figures {
namespace {

constexpr double kPercent = 100;
constexpr std::size_t kColour = 2; ///< not one of those that memory has

void addCurve(const OccupancyInput& input, const TimeAxis& time, Figure& figure)
{
    const Look look{kColour, Shape::TriangleDown, Provenance::Measured};
    Band band{look, {}, Band::Spread::None, Band::Below::Shade};
    Polyline line{LineRole::Counter, look, {}};
    for (const BusyBin& bin : input.bins) {
        const double x = time.of(std::max(bin.beginNs, input.window.beginNs));
        const double y = kPercent * bin.share;
        band.points.push_back({x, y, y});
        if (!line.points.empty())
            line.points.push_back({x, line.points.back().y});
        line.points.push_back({x, y});
    }
    const double end = time.of(input.window.endNs);
    band.points.push_back({end, band.points.back().low, band.points.back().high});
    line.points.push_back({end, line.points.back().y});
    figure.bands.push_back(std::move(band));
    figure.lines.push_back(std::move(line));
}

} // namespace

Figure occupancyFigure(const OccupancyInput& input)
{
    const TimeAxis time(input.window);
    Figure figure;
    figure.kind = "occupancy";
    figure.title = input.title;
    figure.notes = input.notes;
    const double begin = time.of(input.window.beginNs);
    const double end = time.of(std::max(input.window.endNs, input.window.beginNs + 1));
    figure.x = {time.label(), Scale::Linear, begin, end, niceTicks(Scale::Linear, begin, end, kUsualTicks)};
    figure.y = {"Busy (%)", Scale::Linear, 0, kPercent, niceTicks(Scale::Linear, 0, kPercent, kUsualTicks)};
    if (input.bins.empty())
        figure.emptyText = "Nothing was recorded.";
    else
        addCurve(input, time, figure);
    figure.description = fmt::format("{}: busy for {} of the trace.", input.title, percentText(input.whole));
    figure.table.header = {"What", "Busy (% of the time)"};
    figure.table.rows.push_back({"whole trace", fmt::format("{:.2f}", kPercent * input.whole)});
    return figure;
}

} // namespace headroom::figures
