// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/layout/MarkLabels.h"

#include "experiments/figures/layout/TextMetrics.h"

#include <algorithm>
#include <optional>

namespace headroom::figures {
namespace {

constexpr double kAscent = 10;
constexpr double kHeight = 14;
constexpr double kBarHalfWidth = 3;

// Shares of the plot's width to which labels are cut.
constexpr double kWidestFirst = 0.9;
constexpr double kWidest = 0.6;
constexpr double kShort = 0.45;
constexpr double kShortest = 0.3;

/// The words begin or end at the side of their box that the mark is on: faces narrower than assumed leave no gap there.
PlacedText wordsIn(const Box& box, const Pixel& mark, const std::string& text)
{
    const double y = box.y + kAscent;
    if (box.x > mark.x)
        return {text, box.x, y, TextAnchor::Start};
    if (box.right() < mark.x)
        return {text, box.right(), y, TextAnchor::End};
    return {text, box.centre().x, y, TextAnchor::Middle};
}

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

std::vector<Segment> segmentsOf(const Figure& figure, const FigureLayout& layout, const Polyline& line)
{
    std::vector<Segment> path;
    std::optional<Pixel> last;
    for (const Point& point : line.points) {
        const Pixel next{layout.xOf(figure.x, point.x), layout.yOf(figure.y, point.y)};
        if (last)
            path.push_back({*last, next});
        last = next;
    }
    return path;
}

/// The lines that words interrupt where they have to stand on them: all but the first counter, under which is a shade.
std::vector<Segment> thinLines(const Figure& figure, const FigureLayout& layout)
{
    std::vector<Segment> lines;
    for (const Polyline& line : figure.lines)
        if (line.role == LineRole::Front || line.look.series > 0)
            for (const Segment& segment : segmentsOf(figure, layout, line))
                lines.push_back(segment);
    for (const ReferenceLine& line : figure.references) {
        const Box& plot = layout.plot;
        const double x = layout.xOf(figure.x, line.at);
        const double y = layout.yOf(figure.y, line.at);
        lines.push_back(line.direction == Direction::Vertical ? Segment{{x, plot.y}, {x, plot.bottom()}}
                                                              : Segment{{plot.x, y}, {plot.right(), y}});
    }
    return lines;
}

Obstacles obstaclesOf(const Figure& figure, const FigureLayout& layout)
{
    Obstacles obstacles{layout.plot.grown(-2), {}, thinLines(figure, layout)};
    addMarks(figure, layout, obstacles.boxes);
    for (const Polyline& line : figure.lines)
        if (line.role == LineRole::Counter && line.look.series == 0)
            for (const Segment& segment : segmentsOf(figure, layout, line))
                obstacles.lines.push_back(segment);
    for (std::size_t i = 0; i < figure.references.size(); ++i)
        if (figure.references[i].direction == Direction::Horizontal)
            obstacles.boxes.push_back(layout.referenceLabels[i].box());
    return obstacles;
}

/// The label as it is, unless it would fill the plot, and cut to less; only the most wanted ones may be long.
std::vector<std::string> formsOf(const Mark& mark, double plotWidth)
{
    const double widest = mark.wish == LabelWish::First ? kWidestFirst : kWidest;
    std::vector<std::string> forms;
    for (const double share : {widest, kShort, kShortest}) {
        std::string form = elided(mark.label, kFontPx, share * plotWidth);
        if (forms.empty() || form != forms.back())
            forms.push_back(std::move(form));
    }
    return forms;
}

} // namespace

std::size_t layOutMarkLabels(const Figure& figure, FigureLayout& layout)
{
    const std::vector<std::size_t> order = mostWantedFirst(figure);
    std::vector<std::vector<std::string>> forms;
    std::vector<LabelRequest> requests;
    for (const std::size_t mark : order) {
        requests.push_back({layout.marks[mark].at, layout.marks[mark].radius, {}, kHeight});
        forms.push_back(formsOf(figure.marks[mark], layout.plot.width));
        for (const std::string& form : forms.back())
            requests.back().widths.push_back(textWidth(form, kFontPx));
    }
    const Placement placement = placeLabels(requests, obstaclesOf(figure, layout));
    const std::vector<Segment> lines = thinLines(figure, layout);
    for (const PlacedLabel& label : placement.placed) {
        const std::size_t mark = order[label.request];
        const bool onLine =
            std::any_of(lines.begin(), lines.end(), [&](const Segment& line) { return cross(line, label.box); });
        layout.labels.push_back({mark, wordsIn(label.box, layout.marks[mark].at, forms[label.request][label.form]),
            label.box, label.leader, onLine});
    }
    return placement.dropped.size();
}

} // namespace headroom::figures
