// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/protocol/RepeatResult.h"

#include <QString>

#include <chrono>
#include <optional>
#include <string>

namespace headroom::ui {

/// The state of a trial in the queue. NotRun: its run ended before it was reached.
enum class TrialState {
    Waiting,
    Running,
    Paused,
    Completed,
    OutOfMemory,
    Failed,
    TimedOut,
    Cancelled,
    Skipped,
    NotRun
};

/// "out of memory"
QString inWords(TrialState state);
TrialState stateOf(Outcome outcome);
/// The trial is finished unless it is retried.
bool isOver(TrialState state);
/// Whether a retry runs the trial again: one that completed, ran out of memory or was skipped is a result and is kept.
bool canBeRetried(TrialState state);

/// What is known about a trial during its run.
struct TrialProgress {
    using Clock = std::chrono::steady_clock;

    std::size_t trial = 0; ///< index among the trials of its request
    TrialState state = TrialState::Waiting;
    int finishedRepeats = 0;
    std::string phase; ///< of the current repeat
    std::int64_t step = 0; ///< current timed step, from 1; 0 before the first
    std::int64_t samples = 0; ///< timed steps of all repeats
    std::optional<Bytes> needed; ///< on the device
    std::optional<Bytes> peakAllocated;
    std::optional<Bytes> peakReserved;
    std::optional<double> stepsPerSecond;
    std::chrono::duration<double> spent{}; ///< time spent on finished repeats
    std::optional<Clock::time_point> begun; ///< start of the current repeat
    std::string reason; ///< why it ended as it did; empty if it completed
    std::string shortage; ///< out of memory: the need, if it is known
};

} // namespace headroom::ui
