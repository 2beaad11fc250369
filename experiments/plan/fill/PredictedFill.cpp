// SPDX-License-Identifier: Apache-2.0
#include "experiments/plan/fill/PredictedFill.h"

#include "core/config/Installation.h"
#include "experiments/verdict/DeviceFit.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

namespace headroom::experiments {

Bytes fillBudgetOf(const config::Trial& trial, const simulator::ProfileCatalogue& profiles)
{
    const auto& card = profiles.parseSimulatedDevice(trial.device.notation()).device.memory;
    const Bytes usable = card->usableBytes.value;
    return std::min(trial.memoryLimitBytes.value_or(std::numeric_limits<Bytes>::max()),
        usable - usable / DeviceFit::kMarginDivisor - card->contextBytes.value);
}

FillSearch predictedFill(TrialPredictor& predictor, std::stop_token stop)
{
    const auto deviceFit = std::make_shared<DeviceFit>(config::resourceDirectory());
    return FillSearch([&predictor, stop = std::move(stop)](
                          const config::Trial& trial) { return predictor.predictOnCard(trial, stop).result; },
        [deviceFit](const config::Trial& trial, const protocol::RepeatResult& result) {
            return deviceFit->fits(trial, result.memory).value_or(false);
        },
        [&predictor](const config::Trial& trial) { return fillBudgetOf(trial, predictor.profiles()); });
}

} // namespace headroom::experiments
