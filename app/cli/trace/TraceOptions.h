// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace headroom::cli {

/// --experiment E: in which experiment of the workspace a trial is looked for.
void addExperimentOption(CLI::App& command, std::string& experiment);

/// TRIAL: one trial of a workspace, required.
void addTrialOption(CLI::App& command, std::string& trial);

} // namespace headroom::cli
