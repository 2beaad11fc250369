// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/memory/SharedTime.h"

#include "experiments/figures/memory/StepBegins.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <tuple>

namespace headroom::figures {
namespace {

using Knots = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// Those within which no other begins, by time.
std::vector<trace::PhaseSpan> innermost(std::span<const trace::PhaseSpan> phases)
{
    std::vector<trace::PhaseSpan> sorted;
    for (const trace::PhaseSpan& phase : phases)
        if (phase.endNs > phase.beginNs)
            sorted.push_back(phase);
    std::ranges::sort(sorted, {}, [](const trace::PhaseSpan& phase) { return std::pair(phase.beginNs, -phase.endNs); });
    std::vector<trace::PhaseSpan> found;
    for (std::size_t i = 0; i < sorted.size(); ++i)
        if (i + 1 == sorted.size() || sorted[i + 1].beginNs >= sorted[i].endNs)
            found.push_back(sorted[i]);
    return found;
}

const trace::PhaseSpan* lastOf(std::span<const trace::PhaseSpan> phases, const std::string& name)
{
    const trace::PhaseSpan* last = nullptr;
    for (const trace::PhaseSpan& phase : phases)
        if (phase.name == name && (last == nullptr || phase.beginNs > last->beginNs))
            last = &phase;
    return last;
}

// Two knots may share one of their times: what lies between them has no length on that side.
void addKnot(Knots& knots, std::int64_t own, std::int64_t common)
{
    const bool isLater = knots.empty() || (own >= knots.back().first && common >= knots.back().second);
    if (isLater && (knots.empty() || knots.back() != std::pair(own, common)))
        knots.emplace_back(own, common);
}

/// Which phase one is: its step, its name, and which of that name in the step (of several micro-batches).
using PhaseKey = std::tuple<std::int64_t, std::string, int>;

std::vector<PhaseKey> keysOf(const std::vector<trace::PhaseSpan>& phases)
{
    std::map<std::pair<std::int64_t, std::string>, int> seen;
    std::vector<PhaseKey> keys;
    for (const trace::PhaseSpan& phase : phases)
        keys.emplace_back(phase.step, phase.name, seen[{phase.step, phase.name}]++);
    return keys;
}

// Phases that only one of the two has, as of an EMA, lie between knots.
std::optional<SharedTime> stretched(std::span<const trace::PhaseSpan> phases, std::span<const trace::PhaseSpan> first)
{
    const auto own = innermost(phases);
    const auto common = innermost(first);
    const auto ownKeys = keysOf(own);
    const auto commonKeys = keysOf(common);
    std::map<PhaseKey, std::size_t> places;
    for (std::size_t i = 0; i < common.size(); ++i)
        places.emplace(commonKeys[i], i);
    Knots knots;
    addKnot(knots, 0, 0);
    std::size_t matched = 0;
    for (std::size_t i = 0; i < own.size(); ++i)
        if (const auto place = places.find(ownKeys[i]); place != places.end()) {
            addKnot(knots, own[i].beginNs, common[place->second].beginNs);
            addKnot(knots, own[i].endNs, common[place->second].endNs);
            ++matched;
        }
    const bool areAlike = matched > 0 && 2 * matched >= std::max(own.size(), common.size());
    return areAlike ? std::optional(SharedTime(std::move(knots))) : std::nullopt;
}

std::int64_t endOfSteps(std::span<const trace::PhaseSpan> phases)
{
    std::int64_t endNs = 0;
    for (const trace::PhaseSpan& phase : phases)
        if (phase.step >= 0 && trace::isOfAStep(phase))
            endNs = std::max(endNs, phase.endNs);
    return endNs;
}

std::optional<SharedTime> stepByStep(std::span<const trace::PhaseSpan> phases, std::span<const trace::PhaseSpan> first)
{
    const auto own = stepBegins(phases);
    const auto common = stepBegins(first);
    if (own.empty() || !std::ranges::equal(own, common, {}, &StepBegin::step, &StepBegin::step))
        return std::nullopt;
    Knots knots;
    addKnot(knots, 0, 0);
    for (std::size_t i = 0; i < own.size(); ++i)
        addKnot(knots, own[i].beginNs, common[i].beginNs);
    addKnot(knots, endOfSteps(phases), endOfSteps(first));
    return SharedTime(std::move(knots));
}

// From one side of the knots to the other.
template <typename From, typename To> std::int64_t mapped(const Knots& knots, std::int64_t ns, From from, To to)
{
    const auto after = std::ranges::upper_bound(knots, ns, {}, from);
    if (after == knots.begin())
        return ns - std::invoke(from, knots.front()) + std::invoke(to, knots.front());
    const auto& before = *std::prev(after);
    const std::int64_t beyond = ns - std::invoke(from, before);
    if (after == knots.end())
        return std::invoke(to, before) + beyond;
    const std::int64_t length = std::invoke(from, *after) - std::invoke(from, before);
    const std::int64_t wanted = std::invoke(to, *after) - std::invoke(to, before);
    if (length == wanted) // exactly: a run beside itself does not differ
        return std::invoke(to, before) + beyond;
    const double share = static_cast<double>(beyond) / static_cast<double>(length);
    return std::invoke(to, before) + static_cast<std::int64_t>(share * static_cast<double>(wanted));
}

} // namespace

SharedTime::SharedTime(std::vector<std::pair<std::int64_t, std::int64_t>> knots)
    : m_knots(std::move(knots))
{
}

std::int64_t SharedTime::of(std::int64_t ownNs) const
{
    return mapped(m_knots, ownNs, &Knots::value_type::first, &Knots::value_type::second);
}

std::int64_t SharedTime::own(std::int64_t commonNs) const
{
    return mapped(m_knots, commonNs, &Knots::value_type::second, &Knots::value_type::first);
}

std::optional<SharedTime> sharedTime(std::span<const trace::PhaseSpan> phases, std::span<const trace::PhaseSpan> first,
    Alignment alignment, const std::string& phase)
{
    if (alignment == Alignment::Start)
        return SharedTime();
    if (alignment == Alignment::Stretched)
        return stretched(phases, first);
    if (alignment == Alignment::Steps)
        return stepByStep(phases, first);
    const trace::PhaseSpan* own = lastOf(phases, phase);
    const trace::PhaseSpan* common = lastOf(first, phase);
    return own != nullptr && common != nullptr ? std::optional(SharedTime(common->beginNs - own->beginNs))
                                               : std::nullopt;
}

SharedTime sharedByLength(std::int64_t lengthNs, std::int64_t firstNs)
{
    return SharedTime({{0, 0}, {std::max<std::int64_t>(lengthNs, 1), std::max<std::int64_t>(firstNs, 1)}});
}

} // namespace headroom::figures
