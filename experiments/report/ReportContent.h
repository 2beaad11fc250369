// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/memory/TimelineFigure.h"
#include "experiments/report/ComparedRuns.h"
#include "experiments/report/ReplaySpec.h"
#include "experiments/report/ReportTrial.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace headroom::report {

/// Whether an experiment came to its end. Open: it is running, or its process was killed; nothing tells which.
enum class RunState { Finished, Interrupted, Open };

/// A remark that the run left for readers of its results.
struct Remark {
    std::string severity; ///< info, warning, error
    std::string trial; ///< label; empty for the run as a whole
    std::string message;
    std::int64_t count = 1;
};

/// Trials whose rows, and of which timelines, a page shows: it could have more, but no browser likes to show them.
inline constexpr std::size_t kMostRows = 1000;

/// Everything that a report of any format says, before it is put into words and pictures.
struct ReportContent {
    std::int64_t number = 0; ///< of the experiment in its workspace
    std::string experiment;
    std::string title; ///< one line; may be empty
    std::string description;
    std::string startedAt; ///< "2026-03-01 12:30 UTC"
    std::string commandLine;
    std::string headroomVersion;
    RunState state = RunState::Finished;
    OrderedJson environment = nullptr; ///< of the last run
    OrderedJson summary = nullptr; ///< of the last run, with the counts of the trials that are there
    std::vector<ReportTrial> trials; ///< in the order of the sweep, those that were not reached included
    std::vector<OrderedJson> environments; ///< distinct ones, without what is known of the worker
    std::vector<Remark> remarks;
    std::vector<figures::TimelineInput> timelines; ///< of trials that have a trace
    std::map<std::string, std::vector<figures::Figure>> witnesses; ///< what host, device and driver told, by trial id
    std::vector<ComparedRuns> compared; ///< what the reader asked to see beside each other; of any experiment
    std::map<std::string, Bytes> usableBytes; ///< of simulated devices, by notation
    ReplaySpec replay;
    std::string task; ///< what all trials do, in one line

    /// Trials that were planned and not reached.
    std::size_t notRun() const;
};

/// How far predictions can be off, in sentences: by the order of segments' addresses, and by what stored validations of
/// their devices say. Empty where nothing is known, or nothing predicted.
std::string predictionNotes(const ReportContent& content);

} // namespace headroom::report
