// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/tradeoff/ParetoFront.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace headroom::figures {
namespace {

bool better(const Cost& a, const Cost& b)
{
    return a.memory != b.memory ? a.memory < b.memory : a.speed > b.speed;
}

} // namespace

std::vector<std::size_t> paretoFront(std::span<const Cost> costs)
{
    std::vector<std::size_t> order(costs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return better(costs[a], costs[b]); });
    std::vector<std::size_t> front;
    double fastest = -std::numeric_limits<double>::infinity();
    for (const std::size_t index : order) {
        const bool equalToLast = !front.empty() && !better(costs[front.back()], costs[index]);
        if (costs[index].speed > fastest || equalToLast)
            front.push_back(index);
        fastest = std::max(fastest, costs[index].speed);
    }
    return front;
}

std::optional<std::size_t> fastestWithin(std::span<const Cost> costs, double memory)
{
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < costs.size(); ++i) {
        if (costs[i].memory > memory)
            continue;
        if (!best || costs[i].speed > costs[*best].speed
            || (costs[i].speed == costs[*best].speed && costs[i].memory < costs[*best].memory))
            best = i;
    }
    return best;
}

} // namespace headroom::figures
