// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/SqliteFile.h"
#include "profiling/store/WriteTransaction.h"
#include "profiling/store/traces/Rows.h"
#include "profiling/store/traces/TraceReader.h"
#include "profiling/store/workspace/RepeatImport.h"
#include "profiling/store/workspace/TraceRetention.h"
#include "profiling/store/workspace/WorkspaceRepair.h"
#include "profiling/trace/PhaseSpan.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headroom::store {

/// The size of a workspace on the disk.
struct CompactResult {
    Bytes bytesBefore = 0;
    Bytes bytesAfter = 0;
};

struct WorkspaceOptions {
    /// How long a write waits for another process that is writing.
    std::chrono::milliseconds busyTimeout = kDefaultBusyTimeout;
    /// The space that all traces together may take. An import that exceeds it drops those of other experiments, the
    /// oldest first; if its own experiment alone exceeds it, the new trace is not kept. Each drop is a row in
    /// diagnostics.
    std::optional<Bytes> traceLimit{};
    Schema schema = workspaceSchema();
};

/// The file with all experiments of a workspace and their traces (docs/database.md).
///
/// One connection, for one thread: every thread opens its own. Any number of readers work beside one writer, in this
/// process and others; a second writer waits for the busy timeout. Each call is one transaction: a process killed at
/// any instant leaves every repeat complete or absent. All functions throw FileError, whose message names the file;
/// DamagedFileError, DisplacedFileError and FullDiskError if the writer has to act on it (StoreErrors.h).
class Workspace {
public:
    class Batch;

    /// Opens a workspace. If it throws, nothing was changed: no such file or folder, not a database, another program's
    /// database, written by a newer version, read-only, locked, or a full disk.
    static Workspace open(
        const std::filesystem::path& path, Access access, const WorkspaceOptions& options = WorkspaceOptions());

    Workspace(Workspace&&) noexcept; ///< not while one of its Batches exists
    Workspace& operator=(Workspace&&) = delete;
    ~Workspace();

    const std::filesystem::path& path() const { return m_file->path(); }
    /// How long a write waits from now on for another process that is writing.
    void setBusyTimeout(std::chrono::milliseconds timeout);

    // Writing.

    /// Stores all fields except `id` and those of its end. Returns the new id.
    std::int64_t addExperiment(const ExperimentRow& row);
    void finishExperiment(std::int64_t experiment, const ExperimentEnd& end);
    /// The experiment runs again: the record of its earlier end is cleared.
    void reopenExperiment(std::int64_t experiment);
    /// Adds the trials of an experiment, all or none; `id` and `experiment` of the rows are ignored. Returns the ids.
    std::vector<std::int64_t> addTrials(std::int64_t experiment, std::span<const TrialRow> rows);
    void setTrialStatus(std::int64_t trial, TrialStatus status);
    /// The id of an environment with exactly this text; stored once.
    std::int64_t addEnvironment(const std::string& json);
    /// Writes a repeat, its samples, phases, diagnostics and trace in one transaction, and the trial's status with it.
    /// Replaces an unfinished earlier repeat of the same index; a finished one is kept.
    ImportResult importRepeat(const RepeatImport& source);
    std::int64_t addDiagnostic(const DiagnosticRow& row);

    /// Deletes trials by their row ids, all or none, with their repeats, samples, traces and diagnostics.
    void deleteTrials(std::span<const std::int64_t> trials);
    /// Deletes an experiment with its trials and everything of theirs.
    void deleteExperiment(std::int64_t experiment);

    // Space. Dropping removes blocks, pyramids, owners and records; results, samples and phases stay, and a row in
    // diagnostics (`trace_dropped`) records it. The file shrinks only with compact().

    DroppedTraces dropRepeatTrace(std::int64_t repeat);
    // Drops each trace in its own transaction, so that little space is needed: if it reports a full disk, the traces
    // before that have been dropped.
    DroppedTraces dropTrialTraces(std::int64_t trial);
    DroppedTraces dropExperimentTraces(std::int64_t experiment);
    /// The space of each trial's traces, in whole pages of the file; without trials that have none.
    std::map<std::int64_t, Bytes> traceBytes();
    /// Rewrites the file without unused space. Others may read meanwhile; a killed process leaves it as it was or
    /// compacted. Needs as much space again on the disk. Throws FileError if another process writes, or reads for
    /// longer than the busy timeout, and within a Batch.
    CompactResult compact();
    /// Copies everything that this connection can read into a new workspace, even if the file was deleted or replaced
    /// since it was opened. Throws FileError if there is already such a file, or if it cannot be written.
    RepairReport copyTo(const std::filesystem::path& target);

    // Reading.

    /// SQLite's quick check of every page. Throws DamagedFileError.
    void requireSound();
    std::vector<ExperimentRow> experiments(); ///< newest first
    std::optional<ExperimentRow> findExperiment(std::int64_t id);
    std::optional<ExperimentRow> findExperiment(const std::string& name); ///< the newest of that name
    std::size_t trialCount(std::int64_t experiment);
    std::vector<TrialRow> trials(std::int64_t experiment); ///< in the order of the sweep
    /// The same with one of them in memory at a time.
    void eachTrial(std::int64_t experiment, const std::function<void(const TrialRow&)>& visit);
    std::optional<TrialRow> findTrial(std::int64_t id);
    std::optional<TrialRow> findTrial(const std::string& trialId); ///< of the newest experiment that has it
    std::vector<RepeatRow> repeats(std::int64_t trial); ///< by index
    /// The repeats of all experiments that have a trace, by trial id; those of the newest experiment come first. One
    /// query, however many trials there are.
    std::map<std::string, std::vector<std::int64_t>> tracedRepeats();
    bool hasFinishedRepeat(std::int64_t trial, int repeatIndex, Retry retry = Retry::Cancelled);
    std::vector<SampleRow> samples(std::int64_t repeat); ///< by step
    std::vector<trace::PhaseSpan> phases(std::int64_t repeat); ///< in the order of recording
    std::vector<DiagnosticRow> experimentDiagnostics(std::int64_t experiment);
    std::vector<DiagnosticRow> repeatDiagnostics(std::int64_t repeat);
    std::optional<std::string> environment(std::int64_t id); ///< its JSON text

    std::map<std::int64_t, ExperimentTally> tallies(); ///< by experiment; without experiments that have no trials
    /// The average duration of a completed repeat over all experiments, including its process; by trial id.
    std::map<std::string, double> repeatSeconds();
    /// A number that changes whenever another connection has written.
    std::int64_t dataVersion();

    /// Events and timelines; must not outlive the workspace.
    TraceReader trace() const { return TraceReader(*m_file); }
    std::vector<trace::Bucket> timeline(std::int64_t repeat, const std::string& track, trace::Counter counter,
        std::int64_t fromNs, std::int64_t toNs, std::size_t width) const
    {
        return trace().timeline(repeat, track, counter, fromNs, toNs, width);
    }

private:
    Workspace(std::unique_ptr<SqliteFile> file, std::optional<Bytes> traceLimit);

    WriteTransaction beginWrite();
    DroppedTraces dropEach(const std::vector<std::int64_t>& repeats);

    std::unique_ptr<SqliteFile> m_file;
    std::optional<Bytes> m_traceLimit;
    Batch* m_batch = nullptr;
};

/// Groups many small writes into one transaction, as a sweep of simulated trials needs. Each write is still complete or
/// absent. The transaction begins with the first write and holds the write lock until commit(): commit before waiting
/// for anything. Whatever is not committed at the end of the scope is rolled back.
class Workspace::Batch {
public:
    /// `interval`: how often commitIfDue commits.
    explicit Batch(Workspace& workspace, std::chrono::milliseconds interval = std::chrono::milliseconds(50));
    ~Batch();
    Batch(const Batch&) = delete;
    Batch& operator=(const Batch&) = delete;

    void commit();
    /// Commits if the first uncommitted write is older than the interval.
    void commitIfDue();

private:
    friend class Workspace;
    void begin();

    Workspace& m_workspace;
    std::chrono::milliseconds m_interval;
    std::chrono::steady_clock::time_point m_begun;
};

} // namespace headroom::store
