// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Statistics.h"
#include "core/config/catalogue/Configuration.h"
#include "core/protocol/RepeatResult.h"

#include <optional>
#include <vector>

namespace headroom::experiments {

/// Seconds of steps, those of each process together.
using StepSamples = std::vector<std::vector<double>>;

/// How fast a trial ran: over the samples of its completed repeats; nothing is known where there are none.
struct TrialSpeed {
    std::optional<double> stepsPerSecond = {}; ///< of the median step; the other rates likewise
    std::optional<double> samplesPerSecond = {};
    std::optional<double> tokensPerSecond = {};
    std::optional<double> stepSeconds = {}; ///< median
    std::optional<double> stepSecondsMad = {}; ///< median absolute deviation; nothing for a prediction
    std::optional<Interval> stepSeconds95 = {}; ///< of the median; nothing for a prediction, whose steps do not scatter
    StepSamples samplesSeconds = {};
    std::optional<double> firstStepSeconds = {};
    StepSamples warmupSeconds = {};
    /// False as soon as one repeat is not steady, true where all are; nothing where that is not known.
    std::optional<bool> isSteady = {};

    /// From the interval of the step time.
    std::optional<Interval> stepsPerSecond95() const;

    bool operator==(const TrialSpeed&) const = default;
};

TrialSpeed trialSpeed(const config::Trial& trial, const std::vector<protocol::RepeatResult>& repeats);

} // namespace headroom::experiments
