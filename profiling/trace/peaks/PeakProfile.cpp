// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/peaks/PeakProfile.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>

namespace headroom::trace {

using config::MemoryCategory;

namespace {

constexpr std::size_t kMostReasons = 3;

using Key = std::pair<MemoryCategory, std::string>;

bool isNumber(std::string_view text)
{
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::vector<ShareDifference> compareShares(const PeakProfile& higher, const PeakProfile& lower)
{
    std::map<Key, ShareDifference> found;
    const auto entry = [&](const PeakShare& share) -> ShareDifference& {
        const Key key{share.category, partOfModel(share.module)};
        return found.try_emplace(key, ShareDifference{.category = key.first, .part = key.second}).first->second;
    };
    for (const PeakShare& share : higher.shares)
        entry(share).higherBytes += share.bytes;
    for (const PeakShare& share : lower.shares)
        entry(share).lowerBytes += share.bytes;
    std::vector<ShareDifference> differences;
    for (auto& [key, difference] : found)
        if (difference.difference() != 0)
            differences.push_back(std::move(difference));
    std::ranges::stable_sort(differences, std::ranges::greater(),
        [](const ShareDifference& difference) { return std::abs(difference.difference()); });
    return differences;
}

std::vector<PhaseDifference> comparePhases(const PeakProfile& higher, const PeakProfile& lower)
{
    std::map<std::string, PhaseDifference> found;
    for (const auto& [phase, categories] : higher.phases)
        found[phase].higher = categories;
    for (const auto& [phase, categories] : lower.phases)
        found[phase].lower = categories;
    std::vector<PhaseDifference> differences;
    for (auto& [phase, difference] : found) {
        difference.phase = phase;
        differences.push_back(std::move(difference));
    }
    return differences;
}

} // namespace

std::vector<PeakShare> sharesOf(const Holdings& holdings, const OwnerTable& owners)
{
    std::map<Key, Bytes> sums;
    for (const Holding& part : holdings.parts) {
        const MemoryOwner& owner = owners.of(part.owner);
        sums[{owner.category, owner.module}] += part.bytes;
    }
    std::vector<PeakShare> shares;
    for (const auto& [key, bytes] : sums)
        shares.push_back({key.first, key.second, bytes});
    return shares;
}

std::string partOfModel(std::string_view module)
{
    std::string part;
    for (std::string_view rest = module; !rest.empty();) {
        const std::string_view name = rest.substr(0, rest.find('.'));
        if (isNumber(name))
            return part + (part.empty() ? "*" : ".*");
        part += (part.empty() ? "" : ".") + std::string(name);
        rest.remove_prefix(std::min(rest.size(), name.size() + 1));
    }
    return std::string(module.substr(0, module.find('.')));
}

Bytes PeakDifference::total() const
{
    return std::accumulate(shares.begin(), shares.end(), Bytes{0},
        [](Bytes sum, const ShareDifference& share) { return sum + share.difference(); });
}

std::vector<ShareDifference> PeakDifference::reasons() const
{
    std::vector<ShareDifference> found;
    const double enough = 0.8 * static_cast<double>(total());
    double sum = 0;
    for (const ShareDifference& share : shares) {
        if (sum >= enough || found.size() == kMostReasons)
            break;
        if (share.difference() <= 0)
            continue;
        found.push_back(share);
        sum += static_cast<double>(share.difference());
    }
    return found;
}

std::optional<ShareDifference> PeakDifference::counterweight() const
{
    const auto found =
        std::ranges::find_if(shares, [](const ShareDifference& share) { return share.difference() < 0; });
    if (found == shares.end() || -10 * found->difference() < total())
        return std::nullopt;
    return *found;
}

PeakDifference differenceOf(const PeakProfile& higher, const PeakProfile& lower)
{
    return {compareShares(higher, lower), comparePhases(higher, lower)};
}

} // namespace headroom::trace
