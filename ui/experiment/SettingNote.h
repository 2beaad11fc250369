// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Problem.h"

#include <QString>
#include <QWidget>

class QLabel;

namespace headroom::ui {

class PlanView;
class SpecSession;
class Theme;

/// The note below a setting: why the typed text is rejected, what is wrong with the value, and buttons that repair
/// it. Hidden if there is nothing to say.
class SettingNote : public QWidget {
    Q_OBJECT

public:
    enum class Axis { No, Yes };

    SettingNote(const QString& name, SpecSession& session, Theme& theme, QWidget* parent);

    /// Why the typed text is not valid; empty if it is.
    void setDraftProblem(const QString& problem);
    /// Shows the problems that the plan found with the value.
    void takeProblems(const PlanView& view, const std::string& path, Axis axis);
    /// Why an unset value differs from the field's default.
    void setReason(const QString& reason);

    bool hasProblem() const { return !m_draftProblem.isEmpty() || !m_problem.isEmpty(); }

private:
    QWidget* makeRepairBar(const QString& name);
    void showRepairs(const std::vector<config::Repair>& repairs);
    void addRepair(const config::Repair& repair);
    void refresh();
    void refreshInk();

    SpecSession& m_session;
    Theme& m_theme;
    QLabel* m_text;
    QWidget* m_repairBar; ///< a button for each change that repairs a problem; hidden if there is none
    std::vector<config::Repair> m_offered; ///< shown unless the typed text is invalid
    std::vector<config::Repair> m_shown; ///< those that have a button
    QString m_draftProblem;
    QString m_problem;
    QString m_reason;
};

} // namespace headroom::ui
