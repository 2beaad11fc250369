// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/CombinationDraw.h"
#include "experiments/sweep/Sweep.h"

#include <chrono>
#include <functional>
#include <optional>
#include <vector>

namespace headroom::experiments {

/// One drawn configuration, on the device that runs and on the one that simulates.
struct ValidationPair {
    PlannedTrial measured;
    PlannedTrial predicted;
};

/// What a validation compares.
struct ValidationDraw {
    config::DeviceSpec device; ///< runs: `cpu`, `cuda:N`
    config::DeviceSpec against; ///< simulates
    std::size_t trials = 0;
    unsigned seed = 0;
    std::vector<config::DrawnModel> models;
    config::MeasurementProtocol protocol;
};

/// Which of the trials take part, in the same order.
using ChosenTrials = std::function<std::vector<PlannedTrial>(std::vector<PlannedTrial>)>;

/// Draws so many configurations, each once: the same for the same seed, whichever devices they are for. `chosen` is
/// given many more, and the first of those that it returns take part; null: all do. Fewer where there are no more.
/// Throws UsageError if none of the models can be drawn, and what `chosen` throws.
std::vector<ValidationPair> drawPairs(const ValidationDraw& draw, const ChosenTrials& chosen = nullptr);

/// Whether a validation looks at step times. They are those of a machine that does one thing at a time.
enum class StepTimes { Measured, NotMeasured };

/// How the trials are measured: one step after one of warm-up where only memory counts; else `steps` after a warm-up
/// until the step time is steady, for two seconds at most.
config::MeasurementProtocol validationProtocol(StepTimes times, int steps);

} // namespace headroom::experiments
