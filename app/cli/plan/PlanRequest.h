// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/plan/FitTrial.h"
#include "experiments/plan/Planner.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom::cli {

/// The user's arguments to `headroom plan`, as text.
struct PlanArguments {
    RunArguments run; ///< the trial
    std::string memory; ///< empty: what the card has
    std::string maxSlowdown = "5%";
    std::vector<std::string> keep;
    std::vector<std::string> forbid;
    std::vector<std::string> allow;
    std::string trainer; ///< whose settings alone are tried; empty: all
    std::string verify; ///< a device; empty: nothing is measured
    std::string writeSpec; ///< a file; empty: none
    double seconds = 600;
    std::size_t simulations = 160;
};

/// What a plan is asked for, read and checked.
struct PlanRequest {
    FitTrial asked;
    experiments::PlanRules rules;
    experiments::PlanOptions options;
    std::optional<config::DeviceSpec> verifyOn;
    std::string trainer{}; ///< whose settings alone are tried; empty: all
};

/// Throws UsageError, with what is valid, for what `headroom run` refuses, a sweep, a device whose memory is not known,
/// a size or a share that is none, and rules that cannot be kept.
PlanRequest planRequestOf(PlanArguments arguments);

} // namespace headroom::cli
