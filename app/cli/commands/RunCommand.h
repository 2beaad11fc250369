// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/commands/Action.h"
#include "app/cli/run/RunSession.h"

namespace headroom::cli {

/// `headroom run`: runs a sweep, or lists it.
void addRunCommand(CLI::App& app, Action& chosen);

/// The preset or file and the flags that say what is run, of every command that takes a sweep: `planOf` reads them.
void addSweepOptions(CLI::App& command, RunArguments& arguments);

} // namespace headroom::cli
