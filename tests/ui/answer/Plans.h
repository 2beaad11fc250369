// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/sweep/Sweep.h"

#include <string>
#include <vector>

namespace headroom::ui {

/// The trials of a spec.
std::vector<experiments::PlannedTrial> planOf(const std::string& toml);
std::vector<experiments::PlannedTrial> planOfPreset(const std::string& name);

/// LTX-Video at the published shapes on `device`, a training step of `batch` videos.
std::vector<experiments::PlannedTrial> ltxPlan(
    const std::string& checkpointing, const std::string& device = "sim:rtx4090", int batch = 1);

/// A trial of milliseconds.
std::vector<experiments::PlannedTrial> smallPlan(const std::string& splitFfn = "\"off\"");

} // namespace headroom::ui
