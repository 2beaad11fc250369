// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/results/TrialResult.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace headroom::experiments {

/// By how many percent the reserved bytes at a trial's peak change when segments lie in the other address order.
/// nullopt for measured trials and for devices without segments.
std::optional<double> addressesEffect(const TrialResult& result);

/// One sentence about predictions with these effects: "What is reserved depends on where the driver puts segments: in
/// the other order of addresses it is -1.0 % to +3.1 %." Empty if there are none.
std::string addressesSentence(const std::vector<double>& percents);

/// The same for results, or for elements from which `resultOf` gets the results.
template <typename Elements, typename ResultOf = std::identity>
std::string addressesSentenceOf(const Elements& elements, ResultOf resultOf = {})
{
    std::vector<double> effects;
    for (const auto& element : elements)
        if (const auto effect = addressesEffect(std::invoke(resultOf, element)))
            effects.push_back(*effect);
    return addressesSentence(effects);
}

} // namespace headroom::experiments
