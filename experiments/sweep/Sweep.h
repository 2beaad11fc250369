// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"
#include "experiments/spec/ExperimentSpec.h"

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace headroom::experiments {

/// One trial of a sweep, before it is run.
struct PlannedTrial {
    config::Trial trial;
    std::string trialId;
    std::string configId;
    /// What varies in the sweep, then the techniques that are on: "sim:a100-80gb | dim 32 | split_ffn 4".
    std::string label;
    std::vector<std::string> conflicts; ///< why it cannot work; empty when it can
    std::string excludedBecause; ///< reason of the rule that excludes it; empty when none does
    /// Most seconds that one repeat may take ([protocol] timeout_seconds); none: no limit. No part of any id.
    std::optional<std::chrono::duration<double>> timeout;

    bool isRunnable() const { return conflicts.empty() && excludedBecause.empty(); }
    /// Why it is skipped; empty when it is run.
    std::string skipReason() const;
};

/// Most trials that one experiment may have.
inline constexpr std::size_t kMostTrials = 100'000;

/// The trials of the spec, part after part. Within a part the device varies slowest, then protocol, model, workload
/// and, fastest, the techniques in catalogue order, so that trials to be compared stand together. Trials that are the
/// same (an option of a technique that is off) are merged into the first.
///
/// Throws UsageError, naming file and position or flag, for an unknown key or name, a value of the wrong type or
/// range, a notation that does not parse, more than `kMostTrials` trials, no model at all, and for a technique's value
/// that conflicts in every trial it appears in. Throws Error soon after a stop was requested.
std::vector<PlannedTrial> expand(const ExperimentSpec& spec, const std::stop_token& stop = {});

} // namespace headroom::experiments
