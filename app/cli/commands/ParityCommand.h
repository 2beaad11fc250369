// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/commands/Action.h"

namespace headroom::cli {

/// `headroom parity`: compares a model with upstream's tensors.
void addParityCommand(CLI::App& app, Action& chosen);

} // namespace headroom::cli
