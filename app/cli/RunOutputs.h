// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/Console.h"
#include "app/cli/FinishedRun.h"
#include "app/cli/ObserverGroup.h"
#include "app/cli/OutputFile.h"
#include "app/cli/RunSession.h"
#include "core/config/Error.h"
#include "experiments/EventLog.h"

#include <fstream>
#include <optional>

namespace headroom::cli {

/// The files that a run writes beside its workspace: `--events`, `--junit`, `--summary`.
class RunOutputs {
public:
    /// Adds the event stream to `observers`, which must not outlive the outputs. Throws FileError for a file that
    /// cannot be written, before anything is run.
    RunOutputs(const RunArguments& arguments, ObserverGroup& observers);

    /// Writes what the arguments asked for, each file whatever becomes of the others; the first error, if any.
    std::optional<FileError> write(const FinishedRun& run, Console& console);

private:
    void openEvents(const std::string& path, ObserverGroup& observers);
    void closeEvents();
    void appendSummary(const FinishedRun& run, Console& console);

    std::string m_eventsPath;
    std::ofstream m_events;
    std::optional<experiments::EventLog> m_eventLog;
    std::optional<ReplacedFile> m_junit;
    std::optional<AppendedFile> m_summary;
};

/// Throws UsageError when two of the files that the arguments name are the same.
void requireDistinctOutputs(const RunArguments& arguments);

} // namespace headroom::cli
