// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/LabelPlacement.h"

#include <algorithm>
#include <array>

namespace headroom::figures {
namespace {

constexpr double kGap = 3; ///< between a mark and the label beside it
constexpr double kMargin = 1; ///< around a label
constexpr std::array kReaches{14.0, 26.0, 40.0, 58.0, 80.0}; ///< of leaders
constexpr double kLineCost = 3; ///< of covering a line, in steps down the list of candidates

/// Directions in the order in which they are liked: right, left, above, below, then between.
constexpr std::array<Pixel, 8> kBeside{{{1, 0}, {0, -1}, {0.8, -1}, {-0.8, -1}, {-1, 0}, {0, 1}, {0.8, 1}, {-0.8, 1}}};
constexpr std::array<Pixel, 12> kAround{{{0.7, -0.7}, {-0.7, -0.7}, {0.7, 0.7}, {-0.7, 0.7}, {0, -1}, {0, 1}, {1, 0},
    {-1, 0}, {0.92, -0.38}, {-0.92, -0.38}, {0.92, 0.38}, {-0.92, 0.38}}};

Box boxAt(const LabelRequest& request, const Pixel& direction, double reach)
{
    const Pixel middle{request.anchor.x + direction.x * (reach + request.width / 2),
        request.anchor.y + direction.y * (reach + request.height / 2)};
    return {middle.x - request.width / 2, middle.y - request.height / 2, request.width, request.height};
}

Segment leaderTo(const LabelRequest& request, const Box& box)
{
    return {request.anchor, box.nearestTo(request.anchor)};
}

class Placer {
public:
    explicit Placer(const Obstacles& obstacles)
        : m_obstacles(obstacles)
        , m_boxes(obstacles.boxes)
    {
    }

    bool place(std::size_t index, const LabelRequest& request)
    {
        m_best.reset();
        tryBeside(request);
        if (!m_best)
            tryAround(request);
        if (!m_best)
            return false;
        m_best->request = index;
        m_boxes.push_back(m_best->box);
        if (m_best->leader)
            m_leaders.push_back(*m_best->leader);
        placed.push_back(*m_best);
        return true;
    }

    std::vector<PlacedLabel> placed;

private:
    void tryBeside(const LabelRequest& request)
    {
        double rank = 0;
        for (const Pixel& direction : kBeside)
            consider({0, boxAt(request, direction, request.radius + kGap), {}}, request, rank++);
    }

    void tryAround(const LabelRequest& request)
    {
        double rank = 0;
        for (const double reach : kReaches)
            for (const Pixel& direction : kAround) {
                const Box box = boxAt(request, direction, request.radius + reach);
                consider({0, box, leaderTo(request, box)}, request, rank++);
            }
    }

    void consider(const PlacedLabel& candidate, const LabelRequest& request, double rank)
    {
        const double cost = rank + kLineCost * static_cast<double>(coveredLines(candidate.box));
        if ((m_best && cost >= m_bestCost) || !isFree(candidate, request))
            return;
        m_best = candidate;
        m_bestCost = cost;
    }

    std::size_t coveredLines(const Box& box) const
    {
        return static_cast<std::size_t>(std::count_if(
            m_obstacles.lines.begin(), m_obstacles.lines.end(), [&](const Segment& line) { return cross(line, box); }));
    }

    bool isFree(const PlacedLabel& candidate, const LabelRequest& request) const
    {
        const Box box = candidate.box.grown(kMargin);
        return m_obstacles.area.holds(candidate.box)
            && std::none_of(m_boxes.begin(), m_boxes.end(), [&](const Box& taken) { return overlap(box, taken); })
            && std::none_of(m_leaders.begin(), m_leaders.end(), [&](const Segment& line) { return cross(line, box); })
            && (!candidate.leader || isFree(*candidate.leader, request));
    }

    // A leader may leave through its own mark, and through those that lie on it.
    bool isFree(const Segment& leader, const LabelRequest& request) const
    {
        return std::none_of(m_boxes.begin(), m_boxes.end(),
                   [&](const Box& taken) { return !taken.holds(request.anchor) && cross(leader, taken); })
            && std::none_of(
                m_leaders.begin(), m_leaders.end(), [&](const Segment& other) { return cross(leader, other); });
    }

    const Obstacles& m_obstacles;
    std::vector<Box> m_boxes;
    std::vector<Segment> m_leaders;
    std::optional<PlacedLabel> m_best;
    double m_bestCost = 0;
};

} // namespace

Placement placeLabels(std::span<const LabelRequest> requests, const Obstacles& obstacles)
{
    Placer placer(obstacles);
    Placement placement;
    for (std::size_t i = 0; i < requests.size(); ++i)
        if (!placer.place(i, requests[i]))
            placement.dropped.push_back(i);
    placement.placed = std::move(placer.placed);
    return placement;
}

} // namespace headroom::figures
