// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/commands/Action.h"

namespace headroom::cli {

/// `headroom trace show`: what was in memory at the peak of a traced trial, by category, module, technique and phase.
void addTraceShowCommand(CLI::App& trace, Action& chosen);

} // namespace headroom::cli
