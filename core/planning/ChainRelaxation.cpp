// SPDX-License-Identifier: Apache-2.0
#include "core/planning/ChainRelaxation.h"

#include <algorithm>
#include <limits>

namespace headroom::planning {
namespace {

constexpr std::size_t kMostLimits = 8; // more bounds cost more than they cut

struct Point {
    double bytes;
    double seconds;
};

struct Step {
    double bytes;
    double saved;
    double rate() const { return saved / bytes; }
};

double crossOf(const Point& a, const Point& b, const Point& c)
{
    return (b.bytes - a.bytes) * (c.seconds - a.seconds) - (b.seconds - a.seconds) * (c.bytes - a.bytes);
}

// The lower hull of a block's choices, as far as more bytes take less time.
std::vector<Point> hullOf(const ChainBlock& block)
{
    std::vector<Point> points;
    for (const BlockChoice& choice : block.choices)
        points.push_back({static_cast<double>(choice.heldBytes), choice.seconds});
    std::ranges::sort(points,
        [](const Point& a, const Point& b) { return a.bytes != b.bytes ? a.bytes < b.bytes : a.seconds < b.seconds; });
    std::vector<Point> hull;
    for (const Point& point : points) {
        if (!hull.empty() && point.seconds >= hull.back().seconds)
            continue;
        while (hull.size() > 1 && crossOf(hull[hull.size() - 2], hull.back(), point) <= 0)
            hull.pop_back();
        hull.push_back(point);
    }
    return hull;
}

void insertSteps(std::vector<Step>& steps, const std::vector<Point>& hull)
{
    for (std::size_t i = 1; i < hull.size(); ++i)
        steps.push_back({hull[i].bytes - hull[i - 1].bytes, hull[i - 1].seconds - hull[i].seconds});
    std::ranges::sort(steps, std::ranges::greater{}, &Step::rate);
}

double fastestOf(const ChainBlock& block)
{
    return std::ranges::min(block.choices, {}, &BlockChoice::seconds).seconds;
}

} // namespace

double ChainRelaxation::Stretch::leastSeconds(double limit) const
{
    const double room = limit - leastHeld;
    if (room < 0)
        return std::numeric_limits<double>::infinity();
    const auto whole = static_cast<std::size_t>(std::ranges::upper_bound(bytes, room) - bytes.begin());
    const double bytesBefore = whole == 0 ? 0 : bytes[whole - 1];
    const double savedBefore = whole == 0 ? 0 : saved[whole - 1];
    if (whole == bytes.size())
        return secondsThen - savedBefore;
    const double part = (room - bytesBefore) / (bytes[whole] - bytesBefore);
    return secondsThen - savedBefore - part * (saved[whole] - savedBefore);
}

ChainRelaxation::ChainRelaxation(const BlockChain& chain, const std::vector<Bytes>& most)
    : m_blocks(chain.blocks.size())
{
    const std::size_t stride = std::max<std::size_t>(1, m_blocks / kMostLimits);
    for (std::size_t back = 0; back < m_blocks; back += stride)
        addLimit(chain, m_blocks - 1 - back, most[m_blocks - 1 - back]);
}

void ChainRelaxation::addLimit(const BlockChain& chain, std::size_t last, Bytes most)
{
    Limit limit{.most = most, .from = std::vector<Stretch>(last + 1)};
    for (std::size_t block = last + 1; block < m_blocks; ++block)
        limit.secondsAfter += fastestOf(chain.blocks[block]);
    std::vector<Step> steps;
    double held = 0;
    double seconds = 0;
    for (std::size_t block = last + 1; block-- > 0;) {
        const std::vector<Point> hull = hullOf(chain.blocks[block]);
        held += hull.front().bytes;
        seconds += hull.front().seconds;
        insertSteps(steps, hull);
        Stretch stretch{.leastHeld = held, .secondsThen = seconds, .bytes = {}, .saved = {}};
        double bytes = 0;
        double saved = 0;
        for (const Step& step : steps) {
            stretch.bytes.push_back(bytes += step.bytes);
            stretch.saved.push_back(saved += step.saved);
        }
        limit.from[block] = std::move(stretch);
    }
    m_limits.push_back(std::move(limit));
}

double ChainRelaxation::leastSecondsFrom(std::size_t first, Bytes heldBytes) const
{
    double bound = 0;
    for (const Limit& limit : m_limits)
        if (first < limit.from.size()) {
            const double room = static_cast<double>(limit.most - heldBytes);
            bound = std::max(bound, limit.from[first].leastSeconds(room) + limit.secondsAfter);
        }
    return bound;
}

} // namespace headroom::planning
