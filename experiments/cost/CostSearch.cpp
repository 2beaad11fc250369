// SPDX-License-Identifier: Apache-2.0
#include "experiments/cost/CostSearch.h"

#include "core/config/Installation.h"
#include "core/protocol/TrialCodec.h"
#include "experiments/results/MergedRepeats.h"

namespace headroom::experiments {
namespace {

PlannedTrial plannedAlone(const config::Trial& trial)
{
    return {trial, protocol::trialId(trial), protocol::configId(trial.configuration), {}, {}, {}, {}};
}

} // namespace

std::vector<std::string> cardsWithMemory(const simulator::ProfileCatalogue& profiles)
{
    std::vector<std::string> names;
    for (const simulator::DeviceProfile& device : profiles.devices())
        if (device.memory)
            names.push_back(device.name);
    return names;
}

CostSearch::CostSearch(PriceList prices, std::chrono::duration<double> patience)
    : m_prices(std::move(prices))
    , m_predictor(patience)
    , m_deviceFit(config::resourceDirectory())
{
}

CardCost CostSearch::predicted(const config::Trial& trial, const std::stop_token& stop)
{
    const TrialPrediction prediction = m_predictor.predict(trial, stop);
    CardCost card{trial.device.notation(), prediction.verdict, prediction.stepSeconds(), {}, "", {}};
    if (prediction.verdict.kind == FitVerdict::Kind::Unknown)
        card.reason = prediction.result.reason.empty() ? prediction.remark : prediction.result.reason;
    const TrialResult record = trialResult({}, plannedAlone(trial), {prediction.result},
        [&](const auto& judged, const auto& memory) { return m_deviceFit.fits(judged, memory); });
    if (const auto bound = m_deviceFit.errorBound(record))
        card.stepError = bound->stepTime;
    return card;
}

std::vector<CardCost> CostSearch::costsOf(const config::Trial& trial, const std::stop_token& stop)
{
    const CardCost card = predicted(trial, stop);
    std::vector<CardCost> costs;
    for (const CardPrice& price : m_prices.of(trial.device.profile)) {
        costs.push_back(card);
        costs.back().price = price;
    }
    if (costs.empty())
        costs.push_back(card);
    return costs;
}

} // namespace headroom::experiments
