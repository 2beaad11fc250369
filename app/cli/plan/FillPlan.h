// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/run/RunSession.h"
#include "experiments/plan/fill/FillSearch.h"
#include "experiments/sweep/Sweep.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace headroom::cli {

/// The arguments of `headroom fill`.
struct FillArguments {
    RunArguments run;
    std::string axis = "batch";
    std::string memory; ///< empty: the device's own
    std::string trainer; ///< combinations that it does not have are left out; empty: none is
};

/// What `headroom fill` looks at.
struct FillPlan {
    std::string experiment; ///< name
    std::string axis; ///< as a field of the workload: "batch"
    std::optional<Bytes> memoryBytes{}; ///< --memory
    std::vector<experiments::FillTask> tasks{};
    std::vector<std::string> labels{}; ///< of the tasks: what tells them apart
    std::string task{}; ///< what all of them do, in one line
    std::string trainer{}; ///< of the arguments
    std::vector<std::string> notOffered{}; ///< what was left out, as the trainer does not have it: "casting e4m3"
    std::optional<std::chrono::duration<double>> timeout{}; ///< of one prediction
};

/// Reads and checks the arguments as `headroom run` does. Combinations that are the same but for the axis become one;
/// those that the spec excludes, or that the trainer does not have, are left out. Throws UsageError, with what is
/// valid, for an axis that a model does not have, a device whose memory is not known, and no combination at all.
FillPlan fillPlanOf(const FillArguments& arguments);

} // namespace headroom::cli
