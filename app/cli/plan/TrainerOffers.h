// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/plan/PlanRules.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace headroom::cli {

/// `--for TRAINER`: settings that it does not have are not tried.
CLI::Option* addTrainerOption(CLI::App& command, std::string& trainer);

/// What the trainer has; null where none is named. Throws UsageError at `--for` for an unknown one, and for a trial
/// that it cannot run at all.
experiments::Offers offersOf(const std::string& trainer, const config::Trial& trial);

/// "Only what diffusers 0.42 has was tried; 12 settings need code of your own: casting e4m3, ...". Empty where no
/// trainer is named.
std::string offersText(const std::string& trainer, const std::vector<std::string>& notOffered);

} // namespace headroom::cli
