// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/experiment/SettingText.h"

#include <QList>
#include <QStringList>
#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QToolButton;

namespace headroom::ui {

class EditorGuard;
class PlanView;
class SpecSession;
class Theme;

/// One setting of the form: label, editor, a button that makes a sweep axis of it, one that takes it back to its
/// default, and a line for what is to be said about it. Text is checked as it is typed; only what is right goes into
/// the spec.
class SettingRow : public QWidget {
    Q_OBJECT

public:
    struct Choice {
        QString value;
        QString meaning; ///< shown beside it in the list; may be empty
    };

    SettingRow(Setting setting, SpecSession& session, Theme& theme, EditorGuard& guard, QWidget* parent = nullptr);

    const Setting& setting() const { return m_setting; }
    /// In the place of the field's own choices.
    void setChoices(const std::vector<Choice>& choices);
    /// Typing shows the choices that hold the text, wherever.
    void enableFilter();
    void showValue(const PlanView& view);
    /// What else stands against the value; empty for nothing.
    void setConflict(const QString& conflict);
    /// A remark on the value, such as its size in a readable unit.
    void setRemark(const QString& remark);

    bool isChanged() const { return m_isOwn; }
    bool isAxis() const { return m_count > 1; }
    bool hasProblem() const { return !m_problem.isEmpty() || !m_conflict.isEmpty(); }
    /// Why what was typed is not in the spec; empty where it is.
    const QString& problem() const { return m_problem; }
    QWidget* editor() const;
    /// What takes the focus, in the order of the eye.
    QList<QWidget*> stops() const;

Q_SIGNALS:
    /// Whether it is changed, an axis or wrong may have changed.
    void stateChanged();

private:
    void build(EditorGuard& guard);
    void buildEditor(EditorGuard& guard);
    QToolButton* button(const QString& name, const QString& help);
    void fillChoices();
    void readTyped();
    void choose(int index);
    void commit(const config::Value& value, bool isTyped);
    void toggleAxis();
    void makeAxis();
    void setEditorText(const QString& text);
    void refresh();
    QString noteText() const;
    void refreshColours();
    QString unusedChoice() const;

    Setting m_setting;
    SpecSession& m_session;
    Theme& m_theme;
    std::vector<Choice> m_choices;
    QLabel* m_label = nullptr;
    QCheckBox* m_check = nullptr; ///< Boolean only, while it is no axis
    QComboBox* m_combo = nullptr; ///< where there are choices
    QLineEdit* m_line = nullptr;
    QToolButton* m_axis = nullptr;
    QToolButton* m_reset = nullptr;
    QLabel* m_note = nullptr;
    config::Value m_value; ///< in the spec; null: its default holds
    config::Value m_default; ///< as far as the rest of the spec decides
    QString m_reasonOfDefault;
    bool m_isOwn = false;
    bool m_isUnfinished = false; ///< the text is not (yet) what it could be
    std::size_t m_count = 1;
    QString m_problem;
    QString m_conflict;
    QString m_remark;
};

} // namespace headroom::ui
