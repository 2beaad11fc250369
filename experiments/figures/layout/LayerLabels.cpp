// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/layout/LayerLabels.h"

#include "experiments/figures/layout/TextMetrics.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>
#include <utility>

namespace headroom::figures {
namespace {

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
