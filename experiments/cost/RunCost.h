// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/cost/PriceList.h"
#include "experiments/plan/TrialPredictor.h"
#include "experiments/results/ErrorBound.h"

#include <cstdint>
#include <optional>
#include <string>

namespace headroom::experiments {

/// What a number of steps takes on one simulated card. All of it is a prediction.
struct CardCost {
    std::string device; ///< "sim:a100-80gb@torch-2.11"
    FitVerdict verdict;
    std::optional<double> stepSeconds; ///< nullopt: not known, or it does not run
    std::optional<double>
        stepError; ///< relative error of such step times that is known from a validation of the device
    std::string reason; ///< why there is no prediction; empty if there is one
    std::optional<CardPrice> price; ///< one of the card's; a card with several has a CardCost for each

    /// Tight ones do: they run, with less than the margin left.
    bool runs() const;
    /// nullopt if the step time is not known.
    std::optional<double> hours(std::int64_t steps) const;
    /// In the currency of the price list; nullopt without hours or price.
    std::optional<double> cost(std::int64_t steps) const;
};

/// Puts what is cheapest first, then what is fastest; behind them what does not fit, by how much is missing.
void sortByCost(std::vector<CardCost>& costs, std::int64_t steps);

} // namespace headroom::experiments
