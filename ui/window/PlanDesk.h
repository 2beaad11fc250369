// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/answer/FitPanel.h"
#include "ui/window/Services.h"
#include "ui/window/WindowViews.h"

#include <QObject>

namespace headroom::ui {

/// Passes the plan of the experiment on the left to the live answer and to the heading of the results, and applies
/// changes that the answer proposes to the experiment.
class PlanDesk : public QObject {
    Q_OBJECT

public:
    PlanDesk(Services& services, WindowViews& views, QObject* parent);

    void applyPlan();

private:
    void showDrafts();
    void applyChanges(const SettingValues& values);
    QString obstacleOf(const Plan& plan) const;

    Services& m_services;
    WindowViews& m_views;
};

} // namespace headroom::ui
