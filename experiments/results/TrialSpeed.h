// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Statistics.h"
#include "core/config/catalogue/Configuration.h"
#include "core/protocol/RepeatResult.h"

#include <optional>
#include <vector>

namespace headroom::experiments {

/// Step times in seconds, one list for each process.
using StepSamples = std::vector<std::vector<double>>;

/// How fast a trial ran, over the samples of its completed repeats; every figure is unknown if there are none.
struct TrialSpeed {
    std::optional<double> stepsPerSecond = {}; ///< at the median step time, like the other rates
    std::optional<double> samplesPerSecond = {};
    std::optional<double> tokensPerSecond = {};
    std::optional<double> stepSeconds = {}; ///< median
    std::optional<double> stepSecondsMad = {}; ///< median absolute deviation; nullopt for a prediction
    std::optional<Interval> stepSeconds95 = {}; ///< of the median; nullopt for a prediction, whose steps do not vary
    StepSamples samplesSeconds = {};
    std::optional<double> firstStepSeconds = {};
    StepSamples warmupSeconds = {};
    /// False if any repeat is not steady, true if all are; nullopt if that is not known.
    std::optional<bool> isSteady = {};

    /// Derived from the interval of the step time.
    std::optional<Interval> stepsPerSecond95() const;

    bool operator==(const TrialSpeed&) const = default;
};

TrialSpeed trialSpeed(const config::Trial& trial, const std::vector<protocol::RepeatResult>& repeats);

} // namespace headroom::experiments
