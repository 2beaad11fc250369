// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/archive/UnsavedRun.h"

#include <QString>

#include <memory>

namespace headroom::ui {

/// Why a run ended for the sake of its workspace. Refused: it could not be written for another reason, such as a
/// program that keeps it locked, or a disk that does not answer.
enum class WorkspaceLoss { Damaged, Displaced, Full, Refused };

/// A run that ended because its workspace could not take any more, and what it had.
struct LostWorkspace {
    WorkspaceLoss loss = WorkspaceLoss::Damaged;
    QString workspace; ///< the file
    QString problem; ///< what is wrong with it, in a sentence
    std::shared_ptr<const experiments::UnsavedRun> run; ///< to be saved elsewhere
};

} // namespace headroom::ui
