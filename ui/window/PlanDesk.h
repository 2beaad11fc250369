// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/answer/FitPanel.h"
#include "ui/window/Services.h"
#include "ui/window/WindowViews.h"

#include <QObject>

namespace headroom::ui {

/// Hands what the experiment on the left comes to on to the live answer and to the heading of the results, and changes
/// that the answer proposes back.
class PlanDesk : public QObject {
    Q_OBJECT

public:
    PlanDesk(Services& services, WindowViews& views, QObject* parent);

    void takePlan();

private:
    void showDrafts();
    void applyChanges(const SettingValues& values);
    QString obstacleOf(const Plan& plan) const;

    Services& m_services;
    WindowViews& m_views;
};

} // namespace headroom::ui
