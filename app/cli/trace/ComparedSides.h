// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/comparison/ComparedRun.h"
#include "experiments/figures/memory/SharedTime.h"

#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace headroom::cli {

/// Where trials are looked for that are named instead of a file.
struct TrialPlace {
    std::string workspace;
    std::string experiment; ///< name or number; empty: all
};

/// What a user names to be compared: a workspace, a result file, a recording, or a trial. `where` is the argument.
/// Throws FileError for what cannot be read, UsageError for a trial that there is not, or that was not run.
experiments::ComparedRun comparedSide(
    const std::string& name, const std::string& where, const TrialPlace& place, experiments::DeviceFit& deviceFit);

/// Adds --align WAY: how traces are laid over each other.
void addAlignOption(CLI::App& command, std::string& align);

/// What it says; nothing where it is not given. Throws UsageError.
std::optional<figures::Alignment> alignmentOf(const std::string& align);

} // namespace headroom::cli
