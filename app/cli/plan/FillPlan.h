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
};

/// What `headroom fill` looks at.
struct FillPlan {
    std::string experiment; ///< name
    std::string axis; ///< as a field of the workload: "batch"
    std::optional<Bytes> memoryBytes{}; ///< --memory
    std::vector<experiments::FillTask> tasks{};
    std::vector<std::string> labels{}; ///< of the tasks: what tells them apart
    std::string task{}; ///< what all of them do, in one line
    std::optional<std::chrono::duration<double>> timeout{}; ///< of one prediction
};

/// Reads and checks the arguments as `headroom run` does. Combinations that are the same but for the axis become one;
/// those that the spec excludes are left out. Throws UsageError, with what is valid, for an axis that a model does not
/// have, a device whose memory is not known, and no combination at all.
FillPlan fillPlanOf(const FillArguments& arguments);

} // namespace headroom::cli
