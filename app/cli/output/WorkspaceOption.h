// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace headroom::cli {

/// Where the workspace of a command that reads one is: an argument, `--workspace`, or neither.
struct GivenWorkspace {
    std::string argument;
    std::string option;
};

/// [WORKSPACE] and --workspace FILE.
void addWorkspaceOptions(CLI::App& command, GivenWorkspace& workspace);

/// --workspace FILE, for a command whose arguments are names without end; takeWorkspace finds it among them.
void addWorkspaceOption(CLI::App& command, GivenWorkspace& workspace);

/// --experiment E, for a command that takes the newest experiment without it.
void addChosenExperimentOption(CLI::App& command, std::string& experiment);

/// Moves the workspace out of `words`: what ends in ".db" or is a file. Throws UsageError for two of them.
void takeWorkspace(std::vector<std::string>& words, GivenWorkspace& workspace);

/// `--workspace`, else HEADROOM_WORKSPACE, else headroom.db in the current folder. Throws FileError where that folder
/// is gone.
std::string workspacePath(const std::string& given);

/// The argument or `--workspace`, else HEADROOM_WORKSPACE, else headroom.db in the current folder. Throws UsageError
/// for two that are not the same file, and FileError where the current folder is gone.
std::string workspacePath(const GivenWorkspace& given);

} // namespace headroom::cli
