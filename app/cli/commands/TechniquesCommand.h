// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/commands/Action.h"

namespace headroom::cli {

/// `headroom techniques`: lists the techniques, or shows one with its notation, options and counters.
void addTechniquesCommand(CLI::App& app, Action& chosen);

} // namespace headroom::cli
