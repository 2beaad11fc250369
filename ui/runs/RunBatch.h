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

/// Worker: a line that a worker wrote. Remark: something that the program itself has to say.
enum class LogSource { Worker, Remark };

struct LogLine {
    QDateTime time;
    LogSource source = LogSource::Remark;
    QString trialId; ///< empty: of the run as a whole
    QString trialLabel;
    QString text;
};

using LogLines = QVector<LogLine>;

/// How long a repeat of this trial took.
struct RepeatTime {
    std::size_t trial = 0; ///< index among the trials of its request
    std::chrono::duration<double> time{};
};

/// Whether the run waits for somebody to resume it.
enum class RunWait { None, Paused };

/// What happened in a run since the last delivery.
struct RunBatch {
    std::vector<TrialProgress> trials; ///< those that changed, as they are now
    std::vector<RepeatTime> repeats; ///< that finished
    LogLines log;
    std::int64_t droppedLogLines = 0; ///< more came than anybody could read
    std::optional<RunWait> wait; ///< where it changed
    bool isStored = false; ///< the workspace has repeats that it did not have
    bool isBegun = false; ///< the workspace has the experiment
};

} // namespace headroom::ui
