// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/results/TrialResult.h"

#include <functional>
#include <map>
#include <string>

namespace headroom::experiments {

/// What is known about the error of predictions, by the notation of their device.
using KnownErrors = std::map<std::string, ErrorBound>;

/// A sentence for each device, with figures and basis: "Known error of sim:cpu@torch-2.11: allocated memory within 0.1
/// % (95.0 % of 200 trials on cpu, ...)." Empty if there are none.
std::string knownErrorsText(const KnownErrors& errors);

/// The same for results, or for elements from which `resultOf` gets the results.
template <typename Elements, typename ResultOf = std::identity>
std::string knownErrorsTextOf(const Elements& elements, ResultOf resultOf = {})
{
    KnownErrors errors;
    for (const auto& element : elements) {
        const TrialResult& result = std::invoke(resultOf, element);
        if (result.errorBound)
            errors.emplace(result.deviceNotation(), *result.errorBound);
    }
    return knownErrorsText(errors);
}

} // namespace headroom::experiments
