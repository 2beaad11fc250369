// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/plan/Planner.h"
#include "experiments/results/TrialResult.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom::cli {

/// One combination of a plan, measured, beside what is predicted of it on the device that measured.
struct VerifiedChoice {
    std::string trialId; ///< of the plan's trial
    experiments::TrialResult measured;
    std::optional<Bytes> predictedBytes = {}; ///< allocated at the peak
    std::optional<Bytes> measuredBytes = {};
    std::optional<double> predictedSeconds =
        {}; ///< of a step; nullopt where the cost model knows nothing of the device
    std::optional<double> measuredSeconds = {};
    bool held = false;
    std::string text = {}; ///< a sentence

    /// Measured against predicted memory, as a share; nullopt if one is not known.
    std::optional<double> memoryError() const;
};

/// Measures combinations of a plan on a device, each in a fresh process. A prediction held if the trial completed with
/// no more than the margin of the plan (1/64) above or below the allocated peak that is predicted of that device: on
/// `cpu` sim:cpu's, on `cuda:N` that of the plan's card. Throws FileError if the worker is missing.
std::vector<VerifiedChoice> verified(const std::vector<experiments::PlannedChoice>& choices,
    const config::DeviceSpec& device, const std::string& experiment, std::chrono::duration<double> patience,
    const std::stop_token& stop);

} // namespace headroom::cli
