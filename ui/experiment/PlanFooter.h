// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QLabel;
class QToolButton;

namespace headroom::ui {

class SpecSession;
class Theme;

/// Summary of the plan: the number of trials, how long they take, and which are skipped and why.
class PlanFooter : public QWidget {
    Q_OBJECT

public:
    PlanFooter(SpecSession& session, Theme& theme, QWidget* parent = nullptr);

private:
    void showPlan();
    QString trialsText() const;
    QString reasonsText() const;
    void refreshColours();

    SpecSession& m_session;
    Theme& m_theme;
    QLabel* m_trials;
    QToolButton* m_skipped;
    QLabel* m_reasons;
    bool m_showsReasons = false;
};

} // namespace headroom::ui
