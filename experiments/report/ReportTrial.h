// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/results/OrderedJson.h"
#include "experiments/results/SharedTrial.h"
#include "experiments/results/TrialResult.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom::report {

using experiments::OrderedJson;

/// Where a trial of several experiments that are shown together comes from.
struct TrialSource {
    std::int64_t experiment = 0; ///< its number in the workspace
    std::string title; ///< what tells the experiment from the others: its name, if need be with its time
    std::string storedId; ///< the trial's id in the workspace: two experiments may have the same trial
};

/// A trial as a report shows it: its result, and how it was planned.
struct ReportTrial {
    experiments::TrialResult result;
    experiments::SharedTrial planned;
    int repeats = 0; ///< that are there
    int expectedRepeats = 1;
    /// The techniques that are on, as a table beside the report's other trials shows them: "every:2 | split_ffn 4", or
    /// "baseline".
    std::string techniques{};
    /// Set only if trials of several experiments stand beside each other.
    std::optional<TrialSource> source{};

    const std::string& id() const { return result.trialId; }
    const std::string& label() const { return result.label; }
    std::string device() const { return planned.device.notation(); }
    config::Provenance provenance() const { return result.provenance(); }
    bool isMeasured() const { return provenance() == config::Provenance::Measured; }
    std::string kind() const { return result.kind(); }
    /// The model with the fields that were overridden: "ltx-video-2b (num_layers 8)".
    std::string model() const;
    bool isCompleted() const { return result.hasCompleted(); }
    bool hasFlag(const std::string& flag) const { return result.hasFlag(flag); }
    std::optional<bool> fits() const { return result.memory.fits; }
    std::optional<double> stepsPerSecond() const { return result.speed.stepsPerSecond; }
    std::optional<Interval> stepsPerSecond95() const { return result.speed.stepsPerSecond95(); }
    std::string ending() const { return result.cause(); }
};

} // namespace headroom::report
