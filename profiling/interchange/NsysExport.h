// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ReplacedFile.h"
#include "profiling/interchange/ExportSummary.h"
#include "profiling/interchange/NsysDatabase.h"
#include "profiling/interchange/NsysRecords.h"
#include "profiling/interchange/RecordedTrace.h"

#include <optional>
#include <string>

namespace headroom::interchange {

/// Writes a trace as an SQLite file with the tables and values of an Nsight Systems export; data without a place in
/// them goes to tables named headroom_*. docs/interchange.md describes the mapping.
class NsysExport {
public:
    /// The schema version that the tables follow.
    static constexpr const char* kSchemaVersion = "3.16.1";

    NsysExport(const RecordedTrace& trace, const ReplacedFile& file);

    /// Call once. The file is complete but not committed. Throws FileError.
    ExportSummary write();

private:
    void writeRecords();
    void writePhases();
    void writeRange(const std::string& text, const trace::PhaseSpan& span);
    void writeOwners();
    void writeTracks();
    void writeTrack(std::int64_t id, const store::TrackRow& track);
    void writeEvent(std::int64_t track, const trace::AllocatorEvent& event);
    void writeMemoryUsage(const trace::AllocatorEvent& event);
    void writeCategories(std::int64_t id, const store::TrackRow& track);
    void writeTargets();
    void writeMetadata();
    void writeDiagnostics();
    bool isHost() const;
    ExportSummary summary() const;

    const RecordedTrace& m_trace;
    NsysDatabase m_database;
    NsysRecords m_records;
    std::optional<std::int64_t> m_startedNs; ///< since 1970, where it is known
};

} // namespace headroom::interchange
