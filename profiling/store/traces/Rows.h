// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/base/Outcome.h"
#include "profiling/trace/MemoryCounters.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::store {

/// Wall-clock time, UTC.
using Timestamp = std::chrono::sys_time<std::chrono::milliseconds>;

/// The state of a trial. Maintained by the store: a trial is done when its expected repeats are stored.
enum class TrialStatus { Planned, Running, Done };

enum class Severity { Info, Warning, Error };

/// "planned", "warning": as stored and shown.
std::string_view toText(TrialStatus status);
std::string_view toText(Severity severity);

/// The reverse. Throws FileError for any other word.
TrialStatus trialStatusFromText(std::string_view text);
Outcome outcomeFromText(std::string_view text);
Severity severityFromText(std::string_view text);

/// Which earlier repeats count as unfinished and are replaced when the same repeat is imported again.
enum class Retry {
    Cancelled, ///< only what was cancelled
    Failures, ///< also failed and timed-out ones
    Everything ///< also finished ones: the stored data is damaged
};

/// Whether a repeat with this outcome is kept.
bool isFinished(Outcome outcome, Retry retry);

struct ExperimentRow {
    std::int64_t id = 0; ///< given by the database
    std::string name{};
    Timestamp createdAt{};
    std::string specToml{}; ///< as the user wrote it
    std::string specJson{}; ///< canonical
    std::string commandLine{};
    std::string headroomVersion{};
    // Set by finishExperiment; nullopt while it runs, or if its process was killed.
    std::optional<Timestamp> finishedAt{};
    std::optional<std::string> summaryJson{};
    std::optional<std::int64_t> environment{}; ///< from Workspace::addEnvironment

    bool operator==(const ExperimentRow&) const = default;
};

/// How an experiment ended.
struct ExperimentEnd {
    Timestamp finishedAt{};
    std::string summaryJson{};
    std::int64_t environment = 0; ///< from Workspace::addEnvironment
};

struct TrialRow {
    std::int64_t id = 0; ///< given by the database
    std::int64_t experiment = 0; ///< ExperimentRow::id
    std::int64_t ordinal = 0; ///< place in the sweep
    std::string trialId{}; ///< unique within its experiment
    std::string configId{};
    std::string label{};
    std::string device{};
    std::optional<std::string> runtime{}; ///< of simulated devices
    bool predicted = false;
    std::string requestJson{}; ///< what the worker was or will be asked
    int expectedRepeats = 1;
    TrialStatus status = TrialStatus::Planned;

    bool operator==(const TrialRow&) const = default;
};

struct RepeatRow {
    std::int64_t id = 0; ///< given by the database
    std::int64_t trial = 0; ///< TrialRow::id
    int repeatIndex = 0;
    Outcome outcome = Outcome::Completed;
    std::optional<std::string> reason{};
    std::optional<std::string> phase{}; ///< in which it ended, if it did not complete
    std::optional<std::string> resultJson{};
    std::optional<Timestamp> startedAt{};
    std::optional<Timestamp> finishedAt{};
    std::optional<Bytes> peakAllocatedBytes{};
    std::optional<Bytes> peakReservedBytes{};
    std::optional<std::int64_t> environment{}; ///< from Workspace::addEnvironment

    bool operator==(const RepeatRow&) const = default;
};

struct SampleRow {
    std::int64_t step = 0;
    double seconds = 0;

    bool operator==(const SampleRow&) const = default;
};

/// Whether diagnostics of this kind report that a trace lacks events or records: its peaks are then lower bounds.
bool isLossOfTrace(std::string_view kind);

/// Something that a reader of the results should know. Its subject may be left open.
struct DiagnosticRow {
    std::int64_t id = 0; ///< given by the database
    std::optional<std::int64_t> experiment{};
    std::optional<std::int64_t> trial{};
    std::optional<std::int64_t> repeat{};
    Severity severity = Severity::Warning;
    std::string kind{}; ///< a word with underscores: malformed_block
    std::string message{};
    std::int64_t count = 1; ///< how often it happened

    bool operator==(const DiagnosticRow&) const = default;
};

/// What a list of experiments shows of one experiment without reading its trials.
struct ExperimentTally {
    std::int64_t trials = 0; ///< planned
    std::int64_t reached = 0; ///< those with at least one repeat
    /// Of the trials that have a repeat; the worst of several repeats counts (failed, timed out, cancelled, out of
    /// memory, completed).
    std::map<Outcome, std::int64_t> outcomes{};
    std::set<std::string> models{};
    std::set<std::string> devices{}; ///< without their runtime profiles

    bool operator==(const ExperimentTally&) const = default;
};

/// What was dropped from a workspace.
struct DroppedTraces {
    std::int64_t repeats = 0; ///< that had a trace
    Bytes bytes = 0;

    bool operator==(const DroppedTraces&) const = default;
};

/// A stream of allocator events of one repeat, without the events.
struct TrackRow {
    std::string track{}; ///< "device", "host", ...
    std::int64_t blocks = 0;
    std::int64_t events = 0;
    std::int64_t firstNs = 0;
    std::int64_t lastNs = 0;

    bool operator==(const TrackRow&) const = default;
};

/// A stream of allocator events in memory.
struct EventTrack {
    std::string name{};
    std::vector<trace::AllocatorEvent> events{};
    trace::MemoryCounters before{}; ///< what was held when it began
};

} // namespace headroom::store
