// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/layout/PlotLabels.h"

#include "experiments/figures/layout/ElidedApart.h"
#include "experiments/figures/layout/TextMetrics.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

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

/// The fronts: what a tradeoff is looked at for, so that no words stand on them.
std::vector<Segment> frontLines(const Figure& figure, const FigureLayout& layout)
{
    std::vector<Segment> lines;
    for (const Polyline& line : figure.lines)
        if (line.role == LineRole::Front)
            for (const Segment& segment : segmentsOf(figure, layout, line))
                lines.push_back(segment);
    return lines;
}

/// The lines that words interrupt where they have to stand on them: all but the first counter, under which is a shade.
std::vector<Segment> thinLines(const Figure& figure, const FigureLayout& layout)
{
    std::vector<Segment> lines;
    for (const Polyline& line : figure.lines)
        if (line.role == LineRole::Counter && line.look.series > 0)
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
    Obstacles obstacles{layout.plot.grown(-2), {}, thinLines(figure, layout), frontLines(figure, layout)};
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

/// "4:recompute | every:2" of "split_ffn 4:recompute | checkpointing every:2": settings without what is set, which
/// colours, shapes and the axes of the sweep say.
std::string withoutNames(std::string_view label)
{
    constexpr std::string_view kBetweenSettings = " | ";
    std::string values;
    while (!label.empty()) {
        const std::string_view setting = label.substr(0, label.find(kBetweenSettings));
        const std::size_t space = setting.find(' ');
        values += values.empty() ? "" : kBetweenSettings;
        values += space == std::string_view::npos ? setting : setting.substr(space + 1);
        label.remove_prefix(std::min(label.size(), setting.size() + kBetweenSettings.size()));
    }
    return values;
}

/// The label as it is, unless it would fill the plot, and cut to less; only the most wanted ones may be long. Those of
/// a tradeoff, which are settings, are shortened to the values first. What tells marks apart stays in each form.
class LabelForms {
public:
    LabelForms(const Figure& figure, double plotWidth)
        : m_figure(figure)
    {
        std::vector<std::string> whole;
        std::vector<std::string> shorter;
        for (const Mark& mark : figure.marks) {
            whole.push_back(mark.label);
            shorter.push_back(figure.kind == "tradeoff" ? withoutNames(mark.label) : mark.label);
        }
        for (const double share : {kWidestFirst, kWidest})
            m_whole[share] = elidedApart(whole, kFontPx, share * plotWidth);
        for (const double share : {kWidestFirst, kWidest, kShort, kShortest})
            m_shorter[share] = elidedApart(shorter, kFontPx, share * plotWidth);
    }

    std::vector<std::string> of(std::size_t mark) const
    {
        const double widest = m_figure.marks[mark].wish == LabelWish::First ? kWidestFirst : kWidest;
        std::vector<std::string> forms{m_whole.at(widest)[mark]};
        for (const double share : {widest, kShort, kShortest})
            if (const std::string& form = m_shorter.at(share)[mark]; form != forms.back())
                forms.push_back(form);
        return forms;
    }

private:
    const Figure& m_figure;
    std::map<double, std::vector<std::string>> m_whole; ///< by the share of the plot's width
    std::map<double, std::vector<std::string>> m_shorter;
};

constexpr double kLabelGap = 4; ///< px beside the words
constexpr double kLowest = 17; ///< px that a layer is high where it has words
constexpr double kHighEnough = 60; ///< px: more is no better
constexpr double kMiddleIsWorth = 20; ///< px of height, against an end of the plot

/// The most of the values of a stretch that moves on.
class SlidingMost {
public:
    void push(std::size_t index, double value)
    {
        while (!m_candidates.empty() && m_candidates.back().second <= value)
            m_candidates.pop_back();
        m_candidates.emplace_back(index, value);
    }
    void dropBefore(std::size_t index)
    {
        while (!m_candidates.empty() && m_candidates.front().first < index)
            m_candidates.pop_front();
    }
    double value() const { return m_candidates.front().second; }

private:
    std::deque<std::pair<std::size_t, double>> m_candidates;
};

/// Finds the best box of a width that lies wholly in a layer and on no other words.
class LayerRoom {
public:
    LayerRoom(const Figure& figure, const FigureLayout& layout, const std::vector<Box>& taken)
        : m_figure(figure)
        , m_layout(layout)
        , m_taken(taken)
    {
    }

    std::optional<Box> find(const Layer& layer, double width)
    {
        m_best.reset();
        SlidingMost tops; // px grow downward
        SlidingMost bottoms;
        std::size_t end = 0;
        for (std::size_t begin = 0; begin + 1 < layer.points.size(); ++begin) {
            const double left = x(layer.points[begin].x);
            for (; end + 1 < layer.points.size() && (end <= begin || x(layer.points[end].x) < left + width); ++end) {
                tops.push(end, y(layer.points[end].high));
                bottoms.push(end, -y(layer.points[end].low));
            }
            tops.dropBefore(begin);
            bottoms.dropBefore(begin);
            const double right = x(layer.points[end].x);
            if (right < left + width)
                break;
            consider({left, tops.value(), right - left, -bottoms.value() - tops.value()}, width);
        }
        return m_best;
    }

private:
    double x(double value) const { return m_layout.xOf(m_figure.x, value); }
    double y(double value) const { return m_layout.yOf(m_figure.y, value); }

    void consider(const Box& room, double width)
    {
        if (room.height < kLowest)
            return;
        const Pixel middle = room.centre();
        const Box box{middle.x - width / 2, middle.y - kLowest / 2, width, kLowest};
        const double worth = worthOf(room);
        if ((m_best && worth <= m_worth) || !m_layout.plot.holds(box) || isTaken(box))
            return;
        m_best = box;
        m_worth = worth;
    }

    bool isTaken(const Box& box) const
    {
        return std::any_of(m_taken.begin(), m_taken.end(), [&](const Box& other) { return overlap(box, other); });
    }

    // High, and towards the middle: what stays the same for long is named there.
    double worthOf(const Box& room) const
    {
        const double aside = std::abs(room.centre().x - m_layout.plot.centre().x) / m_layout.plot.width;
        return std::min(room.height, kHighEnough) - kMiddleIsWorth * aside;
    }

    const Figure& m_figure;
    const FigureLayout& m_layout;
    const std::vector<Box>& m_taken;
    std::optional<Box> m_best;
    double m_worth = 0;
};

std::vector<Box> otherWords(const Figure& figure, const FigureLayout& layout)
{
    std::vector<Box> boxes;
    for (const MarkLabel& label : layout.labels)
        boxes.push_back(label.box.grown(2));
    for (const PlacedMark& mark : layout.marks)
        boxes.push_back(Box{mark.at.x, mark.at.y, 0, 0}.grown(mark.radius + 2));
    for (std::size_t i = 0; i < figure.references.size(); ++i) {
        boxes.push_back(layout.referenceLabels[i].box());
        if (figure.references[i].direction == Direction::Horizontal)
            boxes.push_back({layout.plot.x, layout.yOf(figure.y, figure.references[i].at) - 1, layout.plot.width, 2});
    }
    return boxes;
}

} // namespace

std::size_t layOutMarkLabels(const Figure& figure, FigureLayout& layout)
{
    const std::vector<std::size_t> order = mostWantedFirst(figure);
    const LabelForms labels(figure, layout.plot.width);
    std::vector<std::vector<std::string>> forms;
    std::vector<LabelRequest> requests;
    for (const std::size_t mark : order) {
        requests.push_back({layout.marks[mark].at, layout.marks[mark].radius, {}, kHeight});
        forms.push_back(labels.of(mark));
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

void layOutLayerLabels(const Figure& figure, FigureLayout& layout)
{
    std::vector<Box> taken = otherWords(figure, layout);
    for (std::size_t i = 0; i < figure.layers.size(); ++i) {
        const Layer& layer = figure.layers[i];
        const double width = textWidth(layer.name, kFontPx) + 2 * kLabelGap;
        const auto box = LayerRoom(figure, layout, taken).find(layer, width);
        if (!box)
            continue;
        const Pixel middle = box->centre();
        layout.layerLabels.push_back({i, {layer.name, middle.x, middle.y + 4, TextAnchor::Middle}});
        taken.push_back(box->grown(2));
    }
}

} // namespace headroom::figures
