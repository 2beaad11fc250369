// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/cost/RunCost.h"
#include "experiments/verdict/DeviceFit.h"

#include <chrono>
#include <stop_token>
#include <string>
#include <vector>

namespace headroom::experiments {

/// The simulated cards that have a memory of their own, by name: "a100-80gb".
std::vector<std::string> cardsWithMemory(const simulator::ProfileCatalogue& profiles);

/// Predicts what steps of a combination take on simulated cards, at a person's prices.
class CostSearch {
public:
    explicit CostSearch(PriceList prices, std::chrono::duration<double> patience = kPatience);

    /// Simulates the trial on its device. One entry for each price of the card; one without a price where it has none.
    /// Throws UsageError for a device without a profile.
    std::vector<CardCost> costsOf(const config::Trial& trial, const std::stop_token& stop);
    const PriceList& prices() const { return m_prices; }

    static constexpr std::chrono::minutes kPatience{5}; ///< for one card

private:
    CardCost predicted(const config::Trial& trial, const std::stop_token& stop);

    PriceList m_prices;
    TrialPredictor m_predictor;
    DeviceFit m_deviceFit;
};

} // namespace headroom::experiments
