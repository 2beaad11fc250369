// SPDX-License-Identifier: Apache-2.0
#include "experiments/cost/RunCost.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace headroom::experiments {

namespace {

constexpr double kSecondsPerHour = 3600;

auto orderOf(const CardCost& cost, std::int64_t steps)
{
    constexpr double kLast = std::numeric_limits<double>::infinity();
    const double missing = cost.runs() ? 0 : -static_cast<double>(cost.verdict.freeBytes().value_or(0));
    return std::tuple(
        !cost.runs(), cost.cost(steps).value_or(kLast), cost.hours(steps).value_or(kLast), missing, cost.device);
}

} // namespace

bool CardCost::runs() const
{
    return verdict.kind == FitVerdict::Kind::Fits || verdict.kind == FitVerdict::Kind::Tight;
}

std::optional<double> CardCost::hours(std::int64_t steps) const
{
    if (!runs() || !stepSeconds)
        return std::nullopt;
    return *stepSeconds * static_cast<double>(steps) / kSecondsPerHour;
}

std::optional<double> CardCost::cost(std::int64_t steps) const
{
    const auto time = hours(steps);
    return time && price ? std::optional(*time * price->perHour) : std::nullopt;
}

void sortByCost(std::vector<CardCost>& costs, std::int64_t steps)
{
    std::ranges::stable_sort(costs, {}, [&](const CardCost& cost) { return orderOf(cost, steps); });
}

} // namespace headroom::experiments
