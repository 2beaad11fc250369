// SPDX-License-Identifier: Apache-2.0
#include "experiments/plan/PlanChoice.h"

#include "experiments/plan/PlanSeeds.h"

#include <algorithm>
#include <map>
#include <span>

namespace headroom::experiments {
namespace {

// Of so many combinations it is counted what they would cut off.
constexpr std::size_t kCounted = 24;
// So many of the best are looked at for what is not alike.
constexpr std::size_t kLookedAt = 256;

// Evenly over the whole, the first and the last included.
template <typename T> std::vector<T> thinned(const std::vector<T>& all, std::size_t most)
{
    if (all.size() <= most)
        return all;
    std::vector<T> some;
    for (std::size_t i = 0; i < most; ++i)
        some.push_back(all[i * (all.size() - 1) / (most - 1)]);
    return some;
}

} // namespace

PlanChoice::PlanChoice(
    const PlanAxes& axes, const PlanBounds& bounds, const PlanGoal& goal, const std::vector<std::size_t>& possible)
    : m_axes(axes)
    , m_bounds(bounds)
    , m_goal(goal)
    , m_possible(possible)
{
}

std::vector<std::size_t> PlanChoice::take(std::size_t count, const PlanEstimate& estimate)
{
    std::vector<Candidate> candidates;
    for (const std::size_t index : m_possible)
        candidates.push_back({index, estimate.of(index)});
    for (Candidate& candidate : candidates) // no estimate is better than what is proven
        candidate.expected.seconds = std::max(candidate.expected.seconds, m_bounds.leastSeconds(candidate.index));
    takePromising(count, candidates);
    takeDecisive(count, candidates);
    if (m_taken.empty())
        m_taken.push_back(m_possible.front());
    return m_taken;
}

// The best, but not all of them neighbours along a long axis: each of these will tell of the others.
void PlanChoice::takePromising(std::size_t count, const std::vector<Candidate>& candidates)
{
    std::vector<Candidate> promising;
    std::ranges::copy_if(candidates, std::back_inserter(promising),
        [&](const Candidate& candidate) { return m_goal.wouldImprove(candidate.expected); });
    const auto looked = promising.begin() + static_cast<std::ptrdiff_t>(std::min(promising.size(), kLookedAt));
    std::ranges::partial_sort(promising, looked, {},
        [&](const Candidate& candidate) { return std::pair(m_goal.valueOf(candidate.expected), candidate.index); });
    std::map<PlanPoint, std::size_t> takenAlong;
    for (const Candidate& candidate : std::span(promising.begin(), looked))
        if (m_taken.size() < count && takenAlong[withoutLongAxes(candidate.index)]++ == 0)
            m_taken.push_back(candidate.index);
    m_isPromising = !m_taken.empty() || !m_goal.best();
    if (!m_taken.empty() || m_goal.best())
        return;
    const auto smallest =
        std::ranges::min_element(candidates, {}, [](const Candidate& candidate) { return candidate.expected.bytes; });
    m_taken.push_back(smallest->index);
}

PlanPoint PlanChoice::withoutLongAxes(std::size_t index) const
{
    PlanPoint point = m_bounds.pointOf(index);
    for (std::size_t axis = 0; axis < point.size(); ++axis)
        if (m_axes.axes[axis].settings.size() > PlanSeeds::kLongAxis)
            point[axis] = 0;
    return point;
}

bool PlanChoice::isTaken(std::size_t index) const
{
    return std::ranges::find(m_taken, index) != m_taken.end();
}

void PlanChoice::takeDecisive(std::size_t count, const std::vector<Candidate>& candidates)
{
    std::vector<std::pair<std::size_t, std::size_t>> decisive; // how many are cut off, by which
    for (const Candidate& candidate : thinned(candidates, kCounted))
        decisive.emplace_back(cutOffBy(candidate), candidate.index);
    std::ranges::stable_sort(decisive, [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [cutOff, index] : decisive)
        if (m_taken.size() < count && cutOff > 0 && !isTaken(index))
            m_taken.push_back(index);
}

// If the prediction is as expected.
std::size_t PlanChoice::cutOffBy(const Candidate& candidate) const
{
    if (static_cast<double>(candidate.expected.bytes) > m_goal.bytesLimit())
        return stillPossible(true, candidate.index);
    return candidate.expected.seconds >= m_goal.secondsLimit() ? stillPossible(false, candidate.index) : 0;
}

std::size_t PlanChoice::stillPossible(bool milder, std::size_t index) const
{
    std::size_t count = 0;
    const auto visit = [&](std::size_t other) {
        count += m_bounds.isOpen(other) && m_goal.isPossible(m_bounds, other) ? 1 : 0;
    };
    milder ? m_bounds.visitMilder(index, visit) : m_bounds.visitSlower(index, visit);
    return count;
}

} // namespace headroom::experiments
