// SPDX-License-Identifier: Apache-2.0
#include "experiments/plan/fill/EdgeSearch.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace headroom::experiments {
namespace {

// The furthest that a guess goes beyond what is known to fit.
constexpr std::int64_t kFurthestGuess = 64;

} // namespace

EdgeSearch::EdgeSearch(EdgeValues values, Ask ask, Limits limits)
    : m_values(std::move(values))
    , m_ask(std::move(ask))
    , m_limits(limits)
{
}

Edge EdgeSearch::run(std::int64_t start)
{
    m_known.clear();
    while (const auto value = nextToAsk(start))
        if (!ask(*value))
            break;
    return edge();
}

// False once there is nothing more to ask.
bool EdgeSearch::ask(std::int64_t value)
{
    const EdgeProbe& probe = m_known[value] = m_ask(value);
    return probe.answer != Answer::Unknown && !hasStoppedGrowing();
}

std::optional<std::int64_t> EdgeSearch::largestThatFits() const
{
    for (auto known = m_known.rbegin(); known != m_known.rend(); ++known)
        if (known->second.answer == Answer::Fits)
            return known->first;
    return std::nullopt;
}

std::optional<std::int64_t> EdgeSearch::leastThatFailsAbove(std::int64_t value) const
{
    for (auto known = m_known.upper_bound(value); known != m_known.end(); ++known)
        if (known->second.answer == Answer::Fails)
            return known->first;
    return std::nullopt;
}

// Nothing: the edge is found, or there is none.
std::optional<std::int64_t> EdgeSearch::nextToAsk(std::int64_t start) const
{
    if (m_known.empty()) {
        const auto below = m_values.atOrBelow(start);
        return below ? below : m_values.above(start);
    }
    const auto fitting = largestThatFits();
    if (!fitting)
        return furtherDown();
    const auto failing = leastThatFailsAbove(*fitting);
    if (!failing)
        return furtherUp(*fitting);
    const auto middle = between(*fitting, *failing);
    return middle ? middle : behind(*failing);
}

std::optional<std::int64_t> EdgeSearch::furtherUp(std::int64_t fitting) const
{
    const auto next = m_values.above(fitting);
    if (!next)
        return std::nullopt;
    const std::int64_t target = std::min(guess().value_or(fitting * 2), fitting * kFurthestGuess);
    const auto value = m_values.atOrBelow(std::max(target, *next));
    return value && *value > fitting ? value : next;
}

std::optional<std::int64_t> EdgeSearch::between(std::int64_t fitting, std::int64_t failing) const
{
    const auto next = m_values.above(fitting);
    if (!next || *next >= failing)
        return std::nullopt;
    const auto guessed = guess();
    const bool isOfUse = guessed && *guessed < failing && std::ssize(m_known) <= kGuesses;
    const std::int64_t target = isOfUse ? *guessed : fitting + (failing - fitting) / 2;
    const auto value = m_values.atOrBelow(std::clamp(target, *next, failing - 1));
    return value && *value > fitting ? value : next;
}

// The first of the values behind the edge that is not known yet.
std::optional<std::int64_t> EdgeSearch::behind(std::int64_t failing) const
{
    std::optional<std::int64_t> value = failing;
    for (int looked = 1; looked < kLookBehind && value; ++looked) {
        value = m_values.above(*value);
        if (value && !m_known.contains(*value))
            return value;
    }
    return std::nullopt;
}

std::optional<std::int64_t> EdgeSearch::furtherDown() const
{
    const std::int64_t failing = m_known.begin()->first;
    const auto half = m_values.atOrBelow(failing / 2);
    if (half && *half < failing)
        return half;
    const auto least = m_values.atOrBelow(failing - 1);
    return least && *least < failing ? least : std::nullopt;
}

// Where the line through the two largest values with a known need reaches the budget.
std::optional<std::int64_t> EdgeSearch::guess() const
{
    if (m_limits.endsWithoutGrowth) // a large count takes long, whatever its memory
        return std::nullopt;
    std::vector<std::pair<std::int64_t, Bytes>> points;
    for (const auto& [value, probe] : m_known)
        if (probe.neededBytes)
            points.emplace_back(value, *probe.neededBytes);
    if (points.size() < 2)
        return std::nullopt;
    const auto [left, leftBytes] = points[points.size() - 2];
    const auto [right, rightBytes] = points.back();
    if (rightBytes <= leftBytes)
        return std::nullopt;
    const double slope = static_cast<double>(rightBytes - leftBytes) / static_cast<double>(right - left);
    const double further = static_cast<double>(m_limits.budgetBytes - rightBytes) / slope;
    return right + static_cast<std::int64_t>(std::clamp(further, -1e12, 1e12));
}

bool EdgeSearch::hasStoppedGrowing() const
{
    if (!m_limits.endsWithoutGrowth || std::ssize(m_known) <= kDoublingsWithoutGrowth)
        return false;
    auto known = m_known.rbegin();
    for (int i = 0; i < kDoublingsWithoutGrowth; ++i) {
        const EdgeProbe& larger = (known++)->second;
        if (larger.answer != Answer::Fits || larger.neededBytes > known->second.neededBytes)
            return false;
    }
    return true;
}

Edge EdgeSearch::edge() const
{
    Edge edge;
    edge.probes = m_known.size();
    edge.value = largestThatFits();
    if (std::ranges::any_of(m_known, [](const auto& known) { return known.second.answer == Answer::Unknown; }))
        return edge;
    if (!edge.value) {
        edge.end = Edge::End::NothingFits;
        edge.next = m_known.empty() ? std::nullopt : std::optional(m_known.begin()->first);
        return edge;
    }
    edge.next = leastThatFailsAbove(*edge.value);
    if (edge.next)
        edge.end = Edge::End::Found;
    else
        edge.end = hasStoppedGrowing() ? Edge::End::Unaffected : Edge::End::LargestFits;
    return edge;
}

} // namespace headroom::experiments
