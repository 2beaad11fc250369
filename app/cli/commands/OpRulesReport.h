// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output/Report.h"

#include <string>
#include <vector>

namespace headroom::cli {

/// Which ops of models the simulator has no rule for: each model with its defaults in each kind of step, on a simulated
/// device without a limit. Starts a worker.
///
/// Throws UsageError for an unknown model or a device that is not simulated, FileError where the worker cannot be
/// started, TrialError where a simulation fails.
Report opRulesReport(const std::vector<std::string>& models, const std::string& device);

} // namespace headroom::cli
