// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/commands/Commands.h"

namespace headroom::cli {

/// `headroom trace`: what was recorded with `run --trace`. Each thing that can be done with it is a command below it.
void addTraceCommand(CLI::App& app, Action& chosen);

// The commands below it; each definition is in the file of its name.

/// `headroom trace show`: what was in memory at the peak of a traced trial, by category, module, technique and phase.
void addTraceShowCommand(CLI::App& trace, Action& chosen);

/// `headroom trace export`: writes the trace of a trial as a file that other programs read.
void addTraceExportCommand(CLI::App& trace, Action& chosen);

/// `headroom trace drop`: removes traces from a workspace and leaves its results.
void addTraceDropCommand(CLI::App& trace, Action& chosen);

/// `headroom trace compact`: gives the room of what was dropped back to the disk; its definition is beside that of
/// drop.
void addTraceCompactCommand(CLI::App& trace, Action& chosen);

} // namespace headroom::cli
