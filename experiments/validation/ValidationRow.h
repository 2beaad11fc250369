// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/CombinationDraw.h"
#include "core/protocol/RepeatResult.h"
#include "experiments/results/OrderedJson.h"
#include "experiments/sweep/Sweep.h"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
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

/// What one side of a comparison says: the peaks after warm-up and the median step time.
struct ValidatedFigures {
    Outcome outcome = Outcome::NotRun;
    std::string reason{}; ///< empty if completed
    std::optional<Bytes> allocated{};
    std::optional<Bytes> reserved{};
    std::optional<Bytes> hostPinned{};
    std::optional<Bytes> hostPageable{};
    std::optional<Bytes> savedForBackward{};
    std::optional<double> stepSeconds{};

    bool operator==(const ValidatedFigures&) const = default;
};

/// A trial that was measured and simulated.
struct ValidationRow {
    std::string trialId; ///< of the measured trial
    std::string predictedTrialId;
    std::string configId;
    std::string model;
    std::string task; ///< what a step does, in words
    std::string techniques; ///< those that are on, in words
    std::string command; ///< the `headroom run` that measures it
    ValidatedFigures measured;
    ValidatedFigures predicted;
    std::vector<std::string> opsWithoutRule{}; ///< that the simulation counted as one pass over their tensors
    std::optional<protocol::MemoryBreakdown> predictedBreakdown{}; ///< not stored

    // Signed errors of the prediction, (predicted - measured) / measured; nullopt where a trial did not complete or a
    // figure is not known.
    std::optional<double> allocatedError() const;
    std::optional<double> reservedError() const;
    std::optional<double> stepError() const;

    /// Whether both sides completed or ran out of memory.
    bool isAnswered() const;
    /// Whether both sides completed and keep the same in host memory, as far as both say so.
    bool hasSameHostMemory() const;

    bool operator==(const ValidationRow&) const = default;
};

ValidationRow rowOf(const ValidationPair& pair, const protocol::RepeatResult& measured,
    const protocol::RepeatResult& predicted, StepTimes times);

/// An element of `rows` in "headroom.validation/1".
OrderedJson toJson(const ValidationRow& row);

} // namespace headroom::experiments
