// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/ModelFamily.h"

#include <string>
#include <vector>

namespace headroom::cli {

/// What only the worker knows of an imported model. Empty lists where nothing is wrong.
struct ImportedInspection {
    std::vector<std::string> opsWithoutMeta; ///< that no simulated device can run, each with its first place
    std::vector<std::string> opsWithoutCost; ///< that the simulator has no rule for, in any kind of step
    std::vector<std::string> refusals; ///< why a kind of step cannot be simulated
    std::string unknown{}; ///< why the worker gave no answer, and nothing of this is known; empty: it did
};

/// Asks a worker, which looks the operators up and simulates an inference step and a forward with its backward on
/// sim:h100-80gb without a limit. What refuses such a step before it is tried is not tried.
ImportedInspection inspectImported(const config::ModelDescriptor& model);

} // namespace headroom::cli
