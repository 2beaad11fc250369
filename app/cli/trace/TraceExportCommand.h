// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/commands/Action.h"

namespace headroom::cli {

/// `headroom trace export`: writes the trace of a trial as a file that other programs read.
void addTraceExportCommand(CLI::App& trace, Action& chosen);

} // namespace headroom::cli
