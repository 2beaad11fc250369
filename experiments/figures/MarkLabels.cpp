// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/MarkLabels.h"

#include "experiments/figures/TextMetrics.h"

#include <algorithm>
#include <numeric>

namespace headroom::figures {
namespace {

constexpr double kAscent = 10;
constexpr double kHeight = 14;
constexpr double kBarHalfWidth = 3;
constexpr double kWidestShare = 0.6; ///< of the plot: a longer label is cut

std::vector<std::size_t> mostWantedFirst(const Figure& figure)
{
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < figure.marks.size(); ++i)
        if (figure.marks[i].wish != LabelWish::None && !figure.marks[i].label.empty())
            order.push_back(i);
    std::stable_sort(
        order.begin(), order.end(), [&](auto a, auto b) { return figure.marks[a].wish > figure.marks[b].wish; });
    return order;
}

void addMarks(const Figure& figure, const FigureLayout& layout, std::vector<Box>& boxes)
{
    for (std::size_t i = 0; i < figure.marks.size(); ++i) {
        const PlacedMark& mark = layout.marks[i];
        boxes.push_back(Box{mark.at.x, mark.at.y, 0, 0}.grown(mark.radius + 1));
        if (const auto& error = figure.marks[i].error) {
            const double top = layout.yOf(figure.y, error->high);
            const double bottom = layout.yOf(figure.y, error->low);
            boxes.push_back({mark.at.x - kBarHalfWidth, top, 2 * kBarHalfWidth, bottom - top});
        }
    }
}

void addLines(const Figure& figure, const FigureLayout& layout, std::vector<Segment>& lines)
{
    const auto pixel = [&](const Point& point) {
        return Pixel{layout.xOf(figure.x, point.x), layout.yOf(figure.y, point.y)};
    };
    for (const Polyline& line : figure.lines)
        for (std::size_t i = 1; i < line.points.size(); ++i)
            lines.push_back({pixel(line.points[i - 1]), pixel(line.points[i])});
    for (const ReferenceLine& line : figure.references) {
        const Box& plot = layout.plot;
        const double x = layout.xOf(figure.x, line.at);
        const double y = layout.yOf(figure.y, line.at);
        lines.push_back(line.direction == Direction::Vertical ? Segment{{x, plot.y}, {x, plot.bottom()}}
                                                              : Segment{{plot.x, y}, {plot.right(), y}});
    }
}

Obstacles obstaclesOf(const Figure& figure, const FigureLayout& layout)
{
    Obstacles obstacles{layout.plot.grown(-2), {}, {}};
    addMarks(figure, layout, obstacles.boxes);
    addLines(figure, layout, obstacles.lines);
    for (std::size_t i = 0; i < figure.references.size(); ++i)
        if (figure.references[i].direction == Direction::Horizontal)
            obstacles.boxes.push_back(layout.referenceLabels[i].box());
    return obstacles;
}

} // namespace

std::size_t layOutMarkLabels(const Figure& figure, FigureLayout& layout)
{
    const std::vector<std::size_t> order = mostWantedFirst(figure);
    std::vector<std::string> texts;
    std::vector<LabelRequest> requests;
    for (const std::size_t mark : order) {
        texts.push_back(elided(figure.marks[mark].label, kFontPx, kWidestShare * layout.plot.width));
        requests.push_back(
            {layout.marks[mark].at, layout.marks[mark].radius, textWidth(texts.back(), kFontPx), kHeight});
    }
    const Placement placement = placeLabels(requests, obstaclesOf(figure, layout));
    for (const PlacedLabel& label : placement.placed)
        layout.labels.push_back({order[label.request],
            {texts[label.request], label.box.centre().x, label.box.y + kAscent, TextAnchor::Middle}, label.box,
            label.leader});
    return placement.dropped.size();
}

} // namespace headroom::figures
