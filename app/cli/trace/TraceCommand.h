// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/commands/Commands.h"

namespace headroom::cli {

/// `headroom trace`: works with what `run --trace` recorded, through its subcommands.
void addTraceCommand(CLI::App& app, Action& chosen);

/// `headroom report`: writes a report of an experiment in a workspace.
void addReportCommand(CLI::App& app, Action& chosen);

/// `headroom compare`: lays the results of two runs side by side.
void addCompareCommand(CLI::App& app, Action& chosen);

// Its subcommands; each is defined in the file of its name.

/// `headroom trace show`: shows what was in memory at the peak of a traced trial, by category, module, technique and
/// phase.
void addTraceShowCommand(CLI::App& trace, Action& chosen);

/// `headroom trace export`: writes the trace of a trial as a file that other programs read.
void addTraceExportCommand(CLI::App& trace, Action& chosen);

/// `headroom trace import`: takes a recording of another program into a workspace.
void addTraceImportCommand(CLI::App& trace, Action& chosen);

/// `headroom trace replay`: serves the requests of a recording or trial under other terms.
void addTraceReplayCommand(CLI::App& trace, Action& chosen);

/// `headroom trace drop`: removes traces from a workspace and leaves its results.
void addTraceDropCommand(CLI::App& trace, Action& chosen);

/// `headroom trace compact`: returns the space of dropped traces to the disk; defined beside drop.
void addTraceCompactCommand(CLI::App& trace, Action& chosen);

} // namespace headroom::cli
