// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/commands/Action.h"

namespace headroom::cli {

/// `headroom workspace check` and `headroom workspace repair`: whether a workspace is sound, and what to do where not.
void addWorkspaceCommand(CLI::App& app, Action& chosen);

} // namespace headroom::cli
