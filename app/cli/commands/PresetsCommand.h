// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/commands/Action.h"

namespace headroom::cli {

/// `headroom presets`: lists the presets, or prints one.
void addPresetsCommand(CLI::App& app, Action& chosen);

} // namespace headroom::cli
