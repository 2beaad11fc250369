// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/protocol/RepeatResult.h"

#include <QString>

#include <chrono>
#include <optional>
#include <string>

namespace headroom::ui {

/// Where a trial is on its way through the queue. NotRun: its run ended before it was reached.
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
/// Nothing more will happen to it, unless it is retried.
bool isOver(TrialState state);
/// Whether a retry runs it again: what completed, ran out of memory or was skipped is a result and is kept.
bool canBeRetried(TrialState state);

/// What is known of a trial while its run goes on.
struct TrialProgress {
    using Clock = std::chrono::steady_clock;

    std::size_t trial = 0; ///< index among the trials of its request
    TrialState state = TrialState::Waiting;
    int finishedRepeats = 0;
    std::string phase; ///< of the repeat that is running
    std::int64_t step = 0; ///< timed step that is running, from 1; 0 before the first
    std::int64_t samples = 0; ///< timed steps of all repeats
    std::optional<Bytes> needed; ///< of the device
    std::optional<Bytes> peakAllocated;
    std::optional<Bytes> peakReserved;
    std::optional<double> stepsPerSecond;
    std::chrono::duration<double> spent{}; ///< on finished repeats
    std::optional<Clock::time_point> begun; ///< of the repeat that is running
    std::string reason; ///< why it ended as it did; empty when completed
    std::string shortage; ///< out of memory: what it needs, where that is known
};

} // namespace headroom::ui
