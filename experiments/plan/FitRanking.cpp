// SPDX-License-Identifier: Apache-2.0
#include "experiments/plan/FitRanking.h"

#include <algorithm>
#include <tuple>

namespace headroom::experiments {
namespace {

double speedOf(const FittingChange& change)
{
    return change.stepsPerSecond.value_or(0);
}

auto simplicityOf(const FittingChange& change)
{
    return std::pair(change.changes.size(), change.effort);
}

bool takesNoMoreOfTheHost(const FittingChange& one, const FittingChange& other)
{
    return one.hostPinnedBytes <= other.hostPinnedBytes && one.hostBytes() <= other.hostBytes();
}

bool isAsFast(const FittingChange& one, const FittingChange& other)
{
    return speedOf(one) >= speedOf(other) * (1 - kSameSpeed) && speedOf(one) <= speedOf(other) * (1 + kSameSpeed);
}

// `one` is no worse than `other` in any respect.
bool noWorse(const FittingChange& one, const FittingChange& other)
{
    return one.changes.size() <= other.changes.size() && one.peakBytes <= other.peakBytes
        && speedOf(one) >= speedOf(other) && takesNoMoreOfTheHost(one, other);
}

// Expects the simplest first; of equals, the first is kept.
std::vector<FittingChange> withoutTies(const std::vector<FittingChange>& found)
{
    std::vector<FittingChange> kept;
    for (const FittingChange& change : found)
        if (std::ranges::none_of(kept, [&](const FittingChange& simpler) {
                return isAsFast(simpler, change) && takesNoMoreOfTheHost(simpler, change);
            }))
            kept.push_back(change);
    return kept;
}

} // namespace

std::vector<FittingChange> ranked(std::vector<FittingChange> found)
{
    std::ranges::stable_sort(found, {}, simplicityOf);
    const std::vector<FittingChange> all = withoutTies(found);
    std::vector<FittingChange> kept;
    for (const FittingChange& change : all)
        if (std::ranges::none_of(
                all, [&](const FittingChange& other) { return noWorse(other, change) && !noWorse(change, other); }))
            kept.push_back(change);
    std::ranges::stable_sort(kept, {},
        [](const FittingChange& change) { return std::tuple(change.changes.size(), change.effort, -speedOf(change)); });
    return kept;
}

} // namespace headroom::experiments
