// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/runs/TrialProgress.h"

#include <QDateTime>
#include <QString>
#include <QVector>

#include <chrono>
#include <optional>
#include <vector>

namespace headroom::ui {

/// Worker: a line that a worker wrote. Remark: a message from the program itself.
enum class LogSource { Worker, Remark };

struct LogLine {
    QDateTime time;
    LogSource source = LogSource::Remark;
    QString trialId; ///< empty: the line is about the run as a whole
    QString trialLabel;
    QString text;
};

using LogLines = QVector<LogLine>;

/// How long a repeat of this trial took.
struct RepeatTime {
    std::size_t trial = 0; ///< index among the trials of its request
    std::chrono::duration<double> time{};
};

/// Whether the run is waiting for the user to resume it.
enum class RunWait { None, Paused };

/// What happened in a run since the last delivery.
struct RunBatch {
    std::vector<TrialProgress> trials; ///< those that changed, in their current state
    std::vector<RepeatTime> repeats; ///< of repeats that finished
    LogLines log;
    std::int64_t droppedLogLines = 0; ///< dropped because there were more than anybody could read
    std::optional<RunWait> wait; ///< set if it changed
    bool isStored = false; ///< the workspace has new repeats
    bool isBegun = false; ///< the workspace has the experiment
};

} // namespace headroom::ui
