// SPDX-License-Identifier: Apache-2.0
#include "experiments/plan/PlanChoice.h"

#include <algorithm>

namespace headroom::experiments {
namespace {

// So many combinations are estimated, and so many of these have counted what they would cut off.
constexpr std::size_t kEstimated = 1500;
constexpr std::size_t kCounted = 24;

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
    for (const std::size_t index : sampled())
        candidates.push_back({index, estimate.of(m_bounds.pointOf(index))});
    for (Candidate& candidate : candidates) // no estimate is better than what is proven
        candidate.expected.seconds = std::max(candidate.expected.seconds, m_bounds.leastSeconds(candidate.index));
    takePromising(m_goal.best() ? (count + 1) / 2 : count, candidates);
    takeDecisive(count, candidates);
    if (m_taken.empty())
        m_taken.push_back(m_possible.front());
    return m_taken;
}

// Neighbours of what is known to fit, and a sample of the rest.
std::vector<std::size_t> PlanChoice::sampled() const
{
    std::vector<std::size_t> sample = thinned(m_possible, kEstimated);
    for (const auto& [index, figures] : m_bounds.known()) {
        if (!m_goal.best() || m_goal.valueOf(figures) > 1.02 * m_goal.valueOf(*m_goal.best()))
            continue;
        PlanPoint point = m_bounds.pointOf(index);
        for (std::size_t axis = 0; axis < point.size(); ++axis) {
            const std::size_t own = point[axis];
            for (point[axis] = 0; point[axis] < m_axes.axes[axis].settings.size(); ++point[axis])
                if (const std::size_t near = m_bounds.indexOf(point);
                    m_bounds.isOpen(near) && m_goal.isPossible(m_bounds, near))
                    sample.push_back(near);
            point[axis] = own;
        }
    }
    std::ranges::sort(sample);
    const auto repeated = std::ranges::unique(sample);
    sample.erase(repeated.begin(), repeated.end());
    return sample;
}

void PlanChoice::takePromising(std::size_t count, const std::vector<Candidate>& candidates)
{
    std::vector<Candidate> promising;
    std::ranges::copy_if(candidates, std::back_inserter(promising),
        [&](const Candidate& candidate) { return m_goal.wouldImprove(candidate.expected); });
    std::ranges::stable_sort(promising, {}, [&](const Candidate& candidate) {
        return std::pair(m_goal.valueOf(candidate.expected), m_axes.simplicityOf(m_bounds.pointOf(candidate.index)));
    });
    for (const Candidate& candidate : promising)
        if (m_taken.size() < count)
            m_taken.push_back(candidate.index);
    if (!m_taken.empty() || m_goal.best())
        return;
    const auto smallest =
        std::ranges::min_element(candidates, {}, [](const Candidate& candidate) { return candidate.expected.bytes; });
    m_taken.push_back(smallest->index);
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
