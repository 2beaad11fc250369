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
/// as counters, records of driver and device on tracks of their own. docs/interchange.md describes the mapping.
class ChromeExport {
public:
    /// Above this number of events counters are summarised: browsers fail at some hundred megabytes.
    static constexpr std::int64_t kMostEvents = 250'000;
    /// The number of time intervals to which a counter is summarised.
    static constexpr std::size_t kStretches = 50'000;

    /// `width`: summarise to that many intervals, whatever the number of events.
    ChromeExport(const RecordedTrace& trace, ReplacedFile& file, std::optional<std::size_t> width);

    /// Call once. The file is complete but not committed. Throws FileError.
    ExportSummary write();

private:
    void writePhases();
    void writeSteps();
    void writeCounters();
    ExportSummary summary() const;

    const RecordedTrace& m_trace;
    ChromeWriter m_writer;
    ChromeRecords m_records;
    std::optional<std::size_t> m_width; ///< nullopt: every event
    std::string m_title;
};

} // namespace headroom::interchange
