// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output/Report.h"
#include "experiments/validation/ValidationDocument.h"
#include "experiments/validation/ValidationRun.h"
#include "profiling/simulator/profiles/DeviceProfile.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom::cli {

/// The arguments of `headroom validate`.
struct ValidateArguments {
    std::string device;
    std::string against;
    int trials = 50;
    unsigned seed = 1;
    int jobs = 1;
    std::vector<std::string> models;
    std::string size; ///< empty: tiny, unless there are models
    std::string filter;
    std::optional<int> steps;
    std::optional<double> timeoutSeconds;
    std::string output;
    std::string format = "table";
    bool dryRun = false;
};

/// What the arguments ask to compare.
struct ValidationPlan {
    std::vector<experiments::ValidationPair> pairs; ///< at least one
    experiments::ValidationOptions options;
    experiments::ValidationDocument document; ///< without results
    simulator::DeviceProfile predicting; ///< of the simulated device
};

/// Checks everything and draws the trials; runs nothing. Throws UsageError, and FileError where worker or profiles are
/// missing.
ValidationPlan planOf(const ValidateArguments& arguments);

/// What `--dry-run` prints: the trials as `headroom run --dry-run` lists them.
Report drawReport(const ValidationPlan& plan);

} // namespace headroom::cli
