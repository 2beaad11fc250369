// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/results/OrderedJson.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace headroom::experiments {

/// By how many percent more is reserved at a record's peak where segments lie in the other order of addresses. Nothing
/// of what is measured, and of a device without segments.
std::optional<double> addressesEffect(const OrderedJson& record);

/// What is to be said of predictions with these effects, in one sentence: "What is reserved depends on where the driver
/// puts segments: in the other order of addresses it is -1.0 % to +3.1 %." Empty without any.
std::string addressesSentence(const std::vector<double>& percents);

/// The same of trial records, or of elements that `recordOf` gives the records of.
template <typename Elements, typename RecordOf = std::identity>
std::string addressesSentenceOf(const Elements& elements, RecordOf recordOf = {})
{
    std::vector<double> effects;
    for (const auto& element : elements)
        if (const auto effect = addressesEffect(std::invoke(recordOf, element)))
            effects.push_back(*effect);
    return addressesSentence(effects);
}

} // namespace headroom::experiments
