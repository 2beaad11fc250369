// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/SqliteFile.h"
#include "profiling/store/traces/RecordWriter.h"
#include "profiling/store/traces/Rows.h"
#include "profiling/store/traces/TrackWriter.h"
#include "profiling/trace/DeviceRecords.h"
#include "profiling/trace/PhaseSpan.h"

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>

namespace headroom::store {

struct SpoolOptions {
    /// A killed writer loses at most this many events per track, those of the block that it was filling.
    std::size_t eventsPerBlock = kDefaultBlockEvents;
    /// As if the disk were full behind that many pages of 4 KiB; nothing: the disk decides.
    std::optional<std::int64_t> maxPages{};
};

/// Writes the private file in which a worker leaves its trace for the parent to import: block by block, each durable
/// against a killed process as soon as it is written. For one thread only.
class SpoolWriter {
public:
    /// Makes the file. Throws FileError where it exists or cannot be made.
    explicit SpoolWriter(const std::filesystem::path& path, const SpoolOptions& options = {});

    /// What the counters of a track stood at before its first event; to be said before that.
    void beginTrack(const std::string& track, const trace::MemoryCounters& before);
    /// Adds events to a track, which begins with counters of 0 where beginTrack was not called. Throws FileError.
    void append(const std::string& track, std::span<const trace::AllocatorEvent> events);
    /// Before the first event that has this owner.
    void addOwner(trace::OwnerId id, const trace::MemoryOwner& owner);
    /// One transaction: hand over many at a time.
    void addRecords(const trace::DeviceRecords& records);
    void addPhase(const trace::PhaseSpan& span);
    /// Lost events and other things that a reader of the trace should know; experiment, trial and repeat are ignored.
    void addDiagnostic(const DiagnosticRow& row);
    /// Writes blocks for all events that wait for one.
    void flush();
    /// Flushes, adds the pyramids and folds the write-ahead log into the file. Nothing may follow.
    void finish();

private:
    TrackWriter& writer(const std::string& track);

    SqliteFile m_file;
    SpoolOptions m_options;
    RecordWriter m_records;
    trace::OwnerCategories m_owners;
    std::map<std::string, TrackWriter> m_tracks;
};

} // namespace headroom::store
