// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Field.h"
#include "experiments/spec/SpecOverrides.h"

#include <map>
#include <string>
#include <vector>

namespace headroom::cli {

/// What was given to the flags that are short for `workload.*`, by the field's name.
using WorkloadArguments = std::map<std::string, std::vector<std::string>>;

/// The fields of the workload that have a flag of their own: what everyone sets (`step`, `dtype`), and the shapes of
/// all model families, `batch` first. A name that several families have stands once.
const std::vector<config::Field>& workloadFlagFields();

/// "--sequence-length"
std::string flagOf(std::string key);

/// Lays them over the overrides, where they win over what was laid before. Throws UsageError for a flag that
/// contradicts `--set` of the same setting among the overrides.
void layOver(experiments::SpecOverrides& overrides, const WorkloadArguments& arguments);

} // namespace headroom::cli
