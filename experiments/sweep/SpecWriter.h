// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/spec/ExperimentSpec.h"
#include "experiments/sweep/Sweep.h"

#include <span>
#include <string>

namespace headroom::experiments {

/// The spec as TOML that `loadSpecText` reads back with the same meaning: overrides are part of it, what all parts
/// share stands above them.
std::string writeSpec(const ExperimentSpec& spec);

/// A spec from `ExperimentSpec::canonicalJson()`. Throws FileError at `where` for text that is none.
ExperimentSpec specFromCanonicalJson(const std::string& json, const std::string& where);

/// A spec of exactly these trials: a part of its own for each, with every setting.
ExperimentSpec specOfTrials(const std::string& name, std::span<const PlannedTrial> trials);

} // namespace headroom::experiments
