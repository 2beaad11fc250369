// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/plan/Planner.h"

#include <QWidget>

#include <optional>

class QLabel;
class QMenu;
class QPushButton;

namespace headroom::ui {

class CommandField;

/// The chosen combination of a plan: a sentence about it, the line that runs it, and what can be done with it.
class ChoicePanel : public QWidget {
    Q_OBJECT

public:
    explicit ChoicePanel(QWidget* parent = nullptr);

    /// Without one nothing can be done.
    void setChoice(const std::optional<experiments::PlannedChoice>& choice);
    const std::optional<experiments::PlannedChoice>& choice() const { return m_choice; }
    /// Whether it can be compared with the answer of the plan.
    void setComparable(bool isComparable);
    void setSentence(const QString& text);
    QString sentence() const;
    QPushButton* formButton() const { return m_form; }
    /// Whether the line that runs it is shown, with the button that copies it.
    void setDetailed(bool isDetailed);

    /// Opens the dialog with the settings for a trainer.
    void showSettings();
    /// Opens the dialog with what a run of it takes on each card.
    void showCosts();

Q_SIGNALS:
    void formWanted();
    void runWanted();
    void comparisonWanted();
    /// Of this size of the workload, "batch".
    void largestWanted(const QString& axis);

private:
    QList<QPushButton*> buttons() const;
    QPushButton* addButton(const char* name, const QString& text, const QString& tip);
    void build();
    void fillSizes();
    void copyCommand();

    std::optional<experiments::PlannedChoice> m_choice;
    QLabel* m_sentence;
    CommandField* m_command;
    QPushButton* m_copy;
    QPushButton* m_form;
    QPushButton* m_run;
    QPushButton* m_compare;
    QPushButton* m_settings;
    QPushButton* m_largest;
    QPushButton* m_costs;
    QMenu* m_sizes;
};

} // namespace headroom::ui
