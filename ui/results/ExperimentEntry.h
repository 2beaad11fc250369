// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/ReportContent.h"

#include <QDateTime>
#include <QString>

#include <memory>
#include <vector>

namespace headroom::ui {

/// One experiment of a workspace, as its list shows it.
struct ExperimentEntry {
    qint64 id = 0;
    QString name;
    QDateTime startedAt;
    QString models; ///< "ltx-video-2b, ffn-stack-tiny"
    QString devices; ///< "cpu, sim:t4"
    qint64 trials = 0; ///< planned
    qint64 reached = 0; ///< trials that have ended or begun
    QString outcomes; ///< "10 completed, 2 out of memory"; empty before the first
    bool hasFailures = false; ///< a trial failed or timed out
    report::RunState state = report::RunState::Open;

    bool operator==(const ExperimentEntry&) const = default;
};

/// Newest first. Null: no workspace has been read yet.
using Experiments = std::shared_ptr<const std::vector<ExperimentEntry>>;

} // namespace headroom::ui
