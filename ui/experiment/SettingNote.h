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

/// What stands below a setting: why what is typed is not taken, what stands against its value, with buttons that mend
/// it, and remarks. Hidden where there is nothing to say.
class SettingNote : public QWidget {
    Q_OBJECT

public:
    enum class Axis { No, Yes };

    SettingNote(const QString& name, SpecSession& session, Theme& theme, QWidget* parent);

    /// What is typed is not valid; empty: it is.
    void setDraftProblem(const QString& problem);
    /// What the plan says against the value.
    void takeProblems(const PlanView& view, const std::string& path, Axis axis);
    /// "Sweep axis, 3 values"
    void setAxisText(const QString& text);
    /// Why what is not set is not the field's default.
    void setReason(const QString& reason);
    void setRemark(const QString& remark);

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
    QWidget* m_repairBar; ///< a button for each change that mends a problem; hidden where there is none
    std::vector<config::Repair> m_offered; ///< seen where nothing is typed that is not valid
    std::vector<config::Repair> m_shown; ///< those that have a button
    QString m_draftProblem;
    QString m_problem;
    QString m_axis;
    QString m_reason;
    QString m_remark;
};

} // namespace headroom::ui
