// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/results/TrialResult.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace headroom::experiments {

/// By how many percent more is reserved at a trial's peak where segments lie in the other order of addresses. Nothing
/// of what is measured, and of a device without segments.
std::optional<double> addressesEffect(const TrialResult& result);

/// What is to be said of predictions with these effects, in one sentence: "What is reserved depends on where the driver
/// puts segments: in the other order of addresses it is -1.0 % to +3.1 %." Empty without any.
std::string addressesSentence(const std::vector<double>& percents);

/// The same of results, or of elements that `resultOf` gives the results of.
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
