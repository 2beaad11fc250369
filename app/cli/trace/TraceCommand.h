// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/commands/Action.h"

namespace headroom::cli {

/// `headroom trace`: what was recorded with `run --trace`. Each thing that can be done with it is a command below it.
void addTraceCommand(CLI::App& app, Action& chosen);

} // namespace headroom::cli
