// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/archive/RunOptions.h"
#include "experiments/spec/ExperimentSpec.h"
#include "experiments/sweep/Sweep.h"

#include <chrono>
#include <filesystem>
#include <optional>
#include <vector>

namespace headroom::ui {

/// An experiment to be run.
struct RunRequest {
    experiments::ExperimentSpec spec = {};
    std::vector<experiments::PlannedTrial> trials = {}; ///< from `expand`, perhaps filtered
    std::filesystem::path workspace = {};
    experiments::WorkspaceUse workspaceUse = experiments::WorkspaceUse::MakeWhereMissing;
    experiments::Tracing tracing = experiments::Tracing::Off;
    std::optional<std::chrono::duration<double>> timeout = std::nullopt; ///< per repeat; overrides the spec's
    experiments::RunMode mode = experiments::RunMode::New;
};

} // namespace headroom::ui
