// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/commands/Action.h"

namespace headroom::cli {

/// `headroom env`: what is recorded of this machine with every run.
void addEnvCommand(CLI::App& app, Action& chosen);

} // namespace headroom::cli
