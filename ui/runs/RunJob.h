// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/archive/UnsavedRun.h"
#include "experiments/results/RunSummary.h"
#include "experiments/run/RunControl.h"
#include "ui/runs/RunFeed.h"
#include "ui/runs/RunRequest.h"

#include <QString>

#include <memory>
#include <optional>
#include <stop_token>

namespace headroom::ui {

/// Why a run's workspace made the run end. Refused: the file could not be written for another reason, such as a program
/// that keeps it locked or a disk that does not respond.
enum class WorkspaceLoss { Damaged, Displaced, Full, Refused };

/// A run that ended because its workspace could not store any more, and its unsaved results.
struct LostWorkspace {
    WorkspaceLoss loss = WorkspaceLoss::Damaged;
    QString workspace; ///< the file
    QString problem; ///< what is wrong with the file, in a sentence
    std::shared_ptr<const experiments::UnsavedRun> run; ///< to be saved elsewhere
};

/// How a run ended: with a summary, or with a sentence on why it could not be run and what can be done.
struct RunEnd {
    std::optional<experiments::RunSummary> summary;
    QString failure;
    std::optional<LostWorkspace> lost = std::nullopt; ///< set if the workspace is the reason
};

/// One run, to be executed on a thread other than the UI thread.
struct RunJob {
    std::shared_ptr<const RunRequest> request;
    std::shared_ptr<RunFeed> feed;
    std::shared_ptr<experiments::RunControl> control;
    std::stop_token stop;

    RunEnd carryOut() const;
};

/// "three finished: 8 trials, 7 completed, 1 out of memory, 12.3 s"
QString summaryText(const experiments::RunSummary& summary);
/// The meaning of the summary's exit code, in a sentence.
QString exitMeaning(const experiments::RunSummary& summary);

} // namespace headroom::ui
