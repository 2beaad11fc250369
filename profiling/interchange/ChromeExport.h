// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ReplacedFile.h"
#include "profiling/interchange/ChromeRecords.h"
#include "profiling/interchange/ChromeWriter.h"
#include "profiling/interchange/ExportSummary.h"
#include "profiling/interchange/RecordedTrace.h"

#include <cstddef>
#include <optional>

namespace headroom::interchange {

/// Writes a trace as Chrome trace events, for ui.perfetto.dev and chrome://tracing: phases and steps as spans, memory
/// as counters, what driver and device told on tracks of their own. What maps to what: docs/interchange.md.
class ChromeExport {
public:
    /// Beyond it counters are summarised: browsers stop at some hundred megabytes.
    static constexpr std::int64_t kMostEvents = 250'000;
    /// Stretches of time that a counter is summarised to.
    static constexpr std::size_t kStretches = 50'000;

    /// `width`: that many stretches, whatever the number of events.
    ChromeExport(const RecordedTrace& trace, ReplacedFile& file, std::optional<std::size_t> width);

    /// Once. The file is complete but not committed. Throws FileError.
    ExportSummary write();

private:
    void writePhases();
    void writeSteps();
    void writeCounters();
    ExportSummary summary() const;

    const RecordedTrace& m_trace;
    ChromeWriter m_writer;
    ChromeRecords m_records;
    std::optional<std::size_t> m_width; ///< nothing: every event
    std::string m_title;
};

} // namespace headroom::interchange
