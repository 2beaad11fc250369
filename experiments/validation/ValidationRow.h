// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/RepeatResult.h"
#include "experiments/results/OrderedJson.h"
#include "experiments/validation/ValidationDraw.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom::experiments {

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
