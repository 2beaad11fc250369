// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/compare/CompareActions.h"
#include "ui/results/WorkspaceService.h"
#include "ui/runs/RunService.h"
#include "ui/session/Selection.h"

#include <QObject>

#include <optional>
#include <string>

namespace headroom::ui {

/// Runs two combinations of a plan with traces, as one experiment, and compares them as soon as both are among the
/// results. Of several the newest counts.
class PlannedComparison : public QObject {
    Q_OBJECT

public:
    PlannedComparison(
        RunService& runs, WorkspaceService& workspaces, Selection& selection, CompareActions& actions, QObject* parent);

    /// Enqueues a request of two trials. `first`: the id of the one that the other is compared with.
    void begin(RunRequest request, const std::string& first, const std::string& second);

Q_SIGNALS:
    void said(const QString& message);

private:
    struct Waiting {
        int run = 0; ///< of the queue
        std::string first; ///< ids of the trials
        std::string second;
        bool hasEnded = false;
    };

    void followRun();
    void compareIfThere();
    QString shown(const std::string& trial) const;

    RunService& m_runs;
    WorkspaceService& m_workspaces;
    Selection& m_selection;
    CompareActions& m_actions;
    std::optional<Waiting> m_waiting;
};

} // namespace headroom::ui
