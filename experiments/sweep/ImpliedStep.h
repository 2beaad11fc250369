// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/spec/ExperimentSpec.h"
#include "experiments/sweep/SweepAxis.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom::experiments {

/// Why a sweep trains although it does not say what its step is.
struct ImpliedStep {
    std::string path; ///< the setting that asks for training: "techniques.trainable", "workload.gradients"
    std::string where; ///< the place that it was given at

    /// "train, because --trainable was given; --step inference asks for the other"
    std::string text() const;
};

/// Of axes without a step, the first setting of which some value only means something in training: techniques in their
/// order, then the workload. None where the step is given, or nothing asks. Throws UsageError for a value that is none.
std::optional<ImpliedStep> impliedStep(const std::vector<SweepAxis>& axes);

/// Why trials of this spec train that were not told to; none where none does.
std::optional<ImpliedStep> impliedStep(const ExperimentSpec& spec);

} // namespace headroom::experiments
