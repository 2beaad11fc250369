// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/commands/Action.h"

namespace headroom::cli {

/// `headroom trace drop`: removes traces from a workspace and leaves its results.
void addTraceDropCommand(CLI::App& trace, Action& chosen);

/// `headroom trace compact`: gives the room of what was dropped back to the disk.
void addTraceCompactCommand(CLI::App& trace, Action& chosen);

} // namespace headroom::cli
