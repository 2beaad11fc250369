// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/budget/PolicyLevels.h"

#include <algorithm>
#include <numeric>

namespace headroom::collectors {
namespace {

constexpr std::size_t kMostLevels = 6; // between nothing and everything: each costs a step
constexpr double kSameRate = 0.9; // calls whose rates differ by less are kept or recomputed together

using CallNumbers = std::vector<std::int64_t>;

double rateOf(const SavableCall& call)
{
    return call.seconds / static_cast<double>(std::max<Bytes>(call.bytes, 1));
}

// The calls in groups, those first that save most time for each byte.
std::vector<CallNumbers> groupsByRate(const std::vector<SavableCall>& calls)
{
    CallNumbers order(calls.size());
    std::iota(order.begin(), order.end(), 0);
    const auto rate = [&](std::int64_t call) { return rateOf(calls[static_cast<std::size_t>(call)]); };
    std::ranges::stable_sort(order, std::ranges::greater{}, rate);
    std::vector<CallNumbers> groups;
    for (const std::int64_t call : order)
        if (groups.empty() || rate(call) < kSameRate * rate(groups.back().front()))
            groups.push_back({call});
        else
            groups.back().push_back(call);
    return groups;
}

// Joins the neighbours whose rates are closest.
void joinClosest(std::vector<CallNumbers>& groups, const std::vector<SavableCall>& calls)
{
    std::size_t closest = 0;
    double least = 0;
    for (std::size_t i = 0; i + 1 < groups.size(); ++i) {
        const double rate = rateOf(calls[static_cast<std::size_t>(groups[i].front())]);
        const double next = rateOf(calls[static_cast<std::size_t>(groups[i + 1].front())]);
        if (rate > 0 && next / rate > least) {
            least = next / rate;
            closest = i;
        }
    }
    CallNumbers& into = groups[closest];
    into.insert(into.end(), groups[closest + 1].begin(), groups[closest + 1].end());
    groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(closest) + 1);
}

config::BlockList listOf(CallNumbers calls)
{
    std::ranges::sort(calls);
    config::BlockList list;
    for (const std::int64_t call : calls)
        if (!list.ranges.empty() && list.ranges.back().last + 1 == call)
            list.ranges.back().last = call;
        else
            list.ranges.push_back({call, call});
    return list;
}

} // namespace

std::vector<config::BlockPolicy> policyLevels(const std::vector<SavableCall>& calls)
{
    using Kind = config::BlockPolicy::Kind;
    std::vector<config::BlockPolicy> levels{{.kind = Kind::All}};
    if (!calls.empty()) {
        std::vector<CallNumbers> groups = groupsByRate(calls);
        while (groups.size() > kMostLevels)
            joinClosest(groups, calls);
        CallNumbers kept;
        for (std::size_t group = 0; group + 1 < groups.size(); ++group) {
            kept.insert(kept.end(), groups[group].begin(), groups[group].end());
            levels.push_back({.kind = Kind::Ops, .calls = listOf(kept)});
        }
        levels.push_back({.kind = Kind::Ops});
    }
    levels.push_back({.kind = Kind::None});
    return levels;
}

} // namespace headroom::collectors
