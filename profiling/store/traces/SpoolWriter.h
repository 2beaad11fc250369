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
    /// A killed writer loses at most this many events per track: those of the block that it was filling.
    std::size_t eventsPerBlock = kDefaultBlockEvents;
    /// The state of the segments is kept about as often.
    std::size_t eventsPerStretch = trace::SegmentStretches::kFewestEvents;
    /// Simulates a full disk after this many pages of 4 KiB; nullopt: no limit but the disk's.
    std::optional<std::int64_t> maxPages{};
};

/// Writes the private file through which a worker passes its trace to the parent: block by block, each durable against
/// a killed process as soon as it is written. For one thread only.
class SpoolWriter {
public:
    /// Creates the file. Throws FileError if it exists or cannot be created.
    explicit SpoolWriter(const std::filesystem::path& path, const SpoolOptions& options = {});

    /// Sets the counters of a track before its first event; must be called before that event.
    void beginTrack(const std::string& track, const trace::MemoryCounters& before);
    /// Adds events to a track, which begins with counters of 0 if beginTrack was not called. Throws FileError.
    void append(const std::string& track, std::span<const trace::AllocatorEvent> events);
    /// Must be called before the first event that has this owner.
    void addOwner(trace::OwnerId id, const trace::MemoryOwner& owner);
    /// Uses one transaction: pass many at a time.
    void addRecords(const trace::DeviceRecords& records);
    void addPhase(const trace::PhaseSpan& span);
    /// Lost events and other things that a reader of the trace should know; experiment, trial and repeat are ignored.
    void addDiagnostic(const DiagnosticRow& row);
    /// Writes blocks for all pending events.
    void flush();
    /// Flushes, adds the pyramids and checkpoints the write-ahead log into the file. Must be the last call.
    void finish();

private:
    TrackWriter& writer(const std::string& track);

    SqliteFile m_file;
    TrackForm m_form;
    RecordWriter m_records;
    trace::OwnerCategories m_owners;
    std::map<std::string, TrackWriter> m_tracks;
};

} // namespace headroom::store
