// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/TrialProgress.h"

namespace headroom::ui {

QString inWords(TrialState state)
{
    switch (state) {
    case TrialState::Waiting:
        return QStringLiteral("waiting");
    case TrialState::Running:
        return QStringLiteral("running");
    case TrialState::Paused:
        return QStringLiteral("paused");
    case TrialState::Completed:
        return QStringLiteral("completed");
    case TrialState::OutOfMemory:
        return QStringLiteral("out of memory");
    case TrialState::Failed:
        return QStringLiteral("failed");
    case TrialState::TimedOut:
        return QStringLiteral("timed out");
    case TrialState::Cancelled:
        return QStringLiteral("cancelled");
    case TrialState::Skipped:
        return QStringLiteral("skipped");
    case TrialState::NotRun:
        return QStringLiteral("not run");
    }
    return {};
}

TrialState stateOf(Outcome outcome)
{
    switch (outcome) {
    case Outcome::Completed:
        return TrialState::Completed;
    case Outcome::OutOfMemory:
        return TrialState::OutOfMemory;
    case Outcome::Failed:
        return TrialState::Failed;
    case Outcome::TimedOut:
        return TrialState::TimedOut;
    case Outcome::Cancelled:
        return TrialState::Cancelled;
    case Outcome::Skipped:
        return TrialState::Skipped;
    case Outcome::NotRun:
        return TrialState::NotRun;
    }
    return TrialState::Failed;
}

bool isOver(TrialState state)
{
    return state != TrialState::Waiting && state != TrialState::Running && state != TrialState::Paused;
}

bool canBeRetried(TrialState state)
{
    return state == TrialState::Failed || state == TrialState::TimedOut || state == TrialState::Cancelled
        || state == TrialState::NotRun;
}

} // namespace headroom::ui
