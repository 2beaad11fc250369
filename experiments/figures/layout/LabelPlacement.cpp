// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/layout/LabelPlacement.h"

#include "experiments/figures/layout/BoxGrid.h"
#include "experiments/figures/layout/SegmentColumns.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace headroom::figures {
namespace {

constexpr double kGap = 6; ///< between a mark and the label beside it: the ring of a selected mark is there
constexpr double kRowGap = 3; ///< between the labels of a list
constexpr double kMargin = 1; ///< around a label
constexpr std::array kNearReaches{14.0, 26.0, 40.0, 58.0}; ///< of leaders
constexpr std::array kFarReaches{80.0, 110.0, 145.0};
constexpr double kLineCost = 5; ///< of covering a line, in steps down the list of candidates

constexpr std::size_t kMostTwice = 40; ///< requests that are placed once more where one of them has no place
constexpr std::size_t kMostAround = 3; ///< labels of one point that stand around it
constexpr double kColumnReach = 14;
constexpr std::array kRows{0.0, 1.0, -1.0, 2.0, -2.0, 3.0, -3.0, 4.0, -4.0, 5.0, -5.0, 6.0, -6.0, 7.0, -7.0};

/// Directions in the order in which they are liked: right, left, above, below, then between.
constexpr std::array<Pixel, 8> kBeside{
    {{1, 0}, {0, -1}, {0.95, -1}, {-0.95, -1}, {-1, 0}, {0, 1}, {0.95, 1}, {-0.95, 1}}};
constexpr std::array<Pixel, 16> kDirections{
    {{0.7, -0.7}, {-0.7, -0.7}, {0.7, 0.7}, {-0.7, 0.7}, {0, -1}, {0, 1}, {1, 0}, {-1, 0}, {0.92, -0.38},
        {-0.92, -0.38}, {0.92, 0.38}, {-0.92, 0.38}, {0.38, -0.92}, {-0.38, -0.92}, {0.38, 0.92}, {-0.38, 0.92}}};

Box boxAt(const LabelRequest& request, double width, const Pixel& direction, double reach)
{
    const Pixel middle{request.anchor.x + direction.x * (reach + width / 2),
        request.anchor.y + direction.y * (reach + request.height / 2)};
    return {middle.x - width / 2, middle.y - request.height / 2, width, request.height};
}

Segment leaderTo(const LabelRequest& request, const Box& box)
{
    return {request.anchor, box.nearestTo(request.anchor)};
}

Box boxAround(const Segment& line)
{
    return {std::min(line.from.x, line.to.x), std::min(line.from.y, line.to.y), std::abs(line.from.x - line.to.x),
        std::abs(line.from.y - line.to.y)};
}

/// How many of the requests are for marks on the same point, itself included.
std::size_t sharing(std::span<const LabelRequest> requests, const LabelRequest& request)
{
    const Box mark = Box{request.anchor.x, request.anchor.y, 0, 0}.grown(request.radius);
    return static_cast<std::size_t>(std::count_if(
        requests.begin(), requests.end(), [&](const LabelRequest& other) { return mark.holds(other.anchor); }));
}

enum class Spread { Around, Columns };

class Placer {
public:
    explicit Placer(const Obstacles& obstacles)
        : m_obstacles(obstacles)
        , m_boxes(obstacles.area)
        , m_lines(obstacles.area, obstacles.lines)
    {
        for (const Box& box : obstacles.boxes)
            m_boxes.add(box);
    }

    bool place(std::size_t index, const LabelRequest& request, Spread spread)
    {
        m_best.reset();
        for (std::size_t form = 0; form < request.widths.size() && !m_best; ++form)
            if (spread == Spread::Columns)
                tryColumns(request, form);
            else
                tryForm(request, form);
        // Fewer words beside a mark are better than all of them far away.
        for (std::size_t form = 0; form < request.widths.size() && !m_best && spread == Spread::Around; ++form)
            tryAround(request, form, kFarReaches);
        if (!m_best)
            return false;
        m_best->request = index;
        m_boxes.add(m_best->box);
        if (m_best->leader)
            m_leaders.push_back(*m_best->leader);
        placed.push_back(*m_best);
        return true;
    }

    std::vector<PlacedLabel> placed;

private:
    void tryForm(const LabelRequest& request, std::size_t form)
    {
        tryBeside(request, form);
        if (!m_best || m_lines.crossing(m_best->box) > 0)
            tryAround(request, form, kNearReaches);
    }

    void tryBeside(const LabelRequest& request, std::size_t form)
    {
        double rank = 0;
        for (const Pixel& direction : kBeside)
            consider(
                {0, form, boxAt(request, request.widths[form], direction, request.radius + kGap), {}}, request, rank++);
    }

    void tryAround(const LabelRequest& request, std::size_t form, std::span<const double> reaches)
    {
        double rank = kBeside.size();
        for (const double reach : reaches)
            for (const Pixel& direction : kDirections) {
                const Box box = boxAt(request, request.widths[form], direction, request.radius + reach);
                consider({0, form, box, leaderTo(request, box)}, request, rank++);
            }
    }

    // Labels close around a point would shut in those that come after them: a list beside it leaves a way for each.
    void tryColumns(const LabelRequest& request, std::size_t form)
    {
        double rank = 0;
        const double reach = request.radius + kColumnReach;
        for (const double row : kRows)
            for (const double side : {1.0, -1.0}) {
                Box box = boxAt(request, request.widths[form], {side, 0}, reach);
                box.y += row * (request.height + kRowGap);
                consider({0, form, box, leaderTo(request, box)}, request, rank++);
            }
    }

    void consider(const PlacedLabel& candidate, const LabelRequest& request, double rank)
    {
        if ((m_best && rank >= m_bestCost) || !isFree(candidate, request))
            return;
        const double cost = rank + kLineCost * static_cast<double>(m_lines.crossing(candidate.box));
        if (m_best && cost >= m_bestCost)
            return;
        m_best = candidate;
        m_bestCost = cost;
    }

    bool isFree(const PlacedLabel& candidate, const LabelRequest& request) const
    {
        const Box box = candidate.box.grown(kMargin);
        return m_obstacles.area.holds(candidate.box)
            && !m_boxes.any(box, [&](const Box& taken) { return overlap(box, taken); })
            && std::none_of(m_leaders.begin(), m_leaders.end(), [&](const Segment& line) { return cross(line, box); })
            && std::ranges::none_of(m_obstacles.walls, [&](const Segment& wall) { return cross(wall, box); })
            && (!candidate.leader || isFree(*candidate.leader, request));
    }

    // A leader may leave through its own mark, and through those that lie on it.
    bool isFree(const Segment& leader, const LabelRequest& request) const
    {
        return !m_boxes.any(boxAround(leader),
                   [&](const Box& taken) { return !taken.holds(request.anchor) && cross(leader, taken); })
            && std::none_of(
                m_leaders.begin(), m_leaders.end(), [&](const Segment& other) { return cross(leader, other); });
    }

    const Obstacles& m_obstacles;
    BoxGrid m_boxes;
    SegmentColumns m_lines;
    std::vector<Segment> m_leaders;
    std::optional<PlacedLabel> m_best;
    double m_bestCost = 0;
};

Placement placeInOrder(
    std::span<const LabelRequest> requests, std::span<const std::size_t> order, const Obstacles& obstacles)
{
    Placer placer(obstacles);
    Placement placement;
    for (const std::size_t i : order)
        if (!placer.place(
                i, requests[i], sharing(requests, requests[i]) > kMostAround ? Spread::Columns : Spread::Around))
            placement.dropped.push_back(i);
    placement.placed = std::move(placer.placed);
    std::ranges::sort(placement.dropped);
    return placement;
}

// A label that others left no place chooses before them; what was wanted more than it keeps a place.
std::optional<Placement> placedWithTheDroppedFirst(
    std::span<const LabelRequest> requests, const Placement& placement, const Obstacles& obstacles)
{
    std::vector<std::size_t> order = placement.dropped;
    for (const PlacedLabel& label : placement.placed)
        order.push_back(label.request);
    Placement other = placeInOrder(requests, order, obstacles);
    const bool isBetter = other.dropped.size() < placement.dropped.size()
        && (other.dropped.empty() || other.dropped.front() >= placement.dropped.front());
    return isBetter ? std::optional(std::move(other)) : std::nullopt;
}

} // namespace

Placement placeLabels(std::span<const LabelRequest> requests, const Obstacles& obstacles)
{
    std::vector<std::size_t> order(requests.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    Placement placement = placeInOrder(requests, order, obstacles);
    if (placement.dropped.empty() || requests.size() > kMostTwice)
        return placement;
    const auto other = placedWithTheDroppedFirst(requests, placement, obstacles);
    return other ? *other : placement;
}

} // namespace headroom::figures
