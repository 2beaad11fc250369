// SPDX-License-Identifier: Apache-2.0
#include "experiments/results/AddressEffect.h"

#include "core/base/Quantities.h"

#include <algorithm>
#include <cmath>

namespace headroom::experiments {

std::optional<double> addressesEffect(const TrialResult& result)
{
    const auto& reserved = result.memory.peak.reserved;
    const auto& other = result.memory.peak.reservedOtherAddresses;
    if (!reserved || !other || *reserved == 0)
        return std::nullopt;
    return 100 * (static_cast<double>(*other) - static_cast<double>(*reserved)) / static_cast<double>(*reserved);
}

std::string addressesSentence(const std::vector<double>& percents)
{
    if (percents.empty())
        return {};
    constexpr double kShown = 100 * kLeastShownChange;
    const auto [least, most] = std::ranges::minmax_element(percents);
    const std::string effect = std::max(std::abs(*least), std::abs(*most)) < kShown ? "the same"
        : *most - *least >= kShown ? signedPercentText(*least / 100) + " to " + signedPercentText(*most / 100)
                                   : signedPercentText(*most / 100);
    return "What is reserved depends on where the driver puts segments: in the other order of addresses it is " + effect
        + ".";
}

} // namespace headroom::experiments
