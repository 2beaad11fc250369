// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output/AppendedFile.h"
#include "app/cli/output/Console.h"
#include "app/cli/output/EventFile.h"
#include "app/cli/run/FinishedRun.h"
#include "app/cli/run/ObserverGroup.h"
#include "app/cli/run/RunPlan.h"
#include "core/base/Error.h"
#include "core/base/ReplacedFile.h"
#include "experiments/run/EventLog.h"

#include <optional>
#include <stop_token>

namespace headroom::cli {

/// The files that a run writes beside its workspace: `--events`, `--junit`, `--summary`.
class RunOutputs {
public:
    /// Adds the event stream to `observers`, which must not outlive the outputs. Throws FileError for a file that
    /// cannot be written, before anything is run. After `stop` is requested, a pipe whose reader does not read is not
    /// waited for.
    RunOutputs(const RunArguments& arguments, ObserverGroup& observers, const std::stop_token& stop);

    /// Writes the files that the arguments ask for, each even if another one fails; returns the first error, if any.
    std::optional<FileError> write(const FinishedRun& run, Console& console);

private:
    void writeJUnit(const FinishedRun& run);
    void appendSummary(const FinishedRun& run, Console& console);

    std::optional<EventFile> m_events;
    std::optional<experiments::EventLog> m_eventLog;
    std::optional<ReplacedFile> m_junit;
    std::optional<AppendedFile> m_summary;
};

/// Throws UsageError if a file to be written is also the run's workspace, one of its inputs, or another of its outputs.
void requireDistinctOutputs(const RunArguments& arguments, const RunPlan& plan);

} // namespace headroom::cli
