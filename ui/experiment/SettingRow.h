// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/experiment/SettingChoice.h"

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
class SettingNote;
class SpecSession;
class Theme;

/// One setting of the form: label, editor, a button that makes a sweep axis of it, one that takes it back to its
/// default, and a line for what is to be said about it. Text is checked as it is typed; only what is right goes into
/// the spec.
class SettingRow : public QWidget {
    Q_OBJECT

public:
    using Choice = SettingChoice;

    SettingRow(Setting setting, SpecSession& session, Theme& theme, EditorGuard& guard, QWidget* parent = nullptr);

    const Setting& setting() const { return m_setting; }
    /// In the place of the field's own choices.
    void setChoices(const std::vector<Choice>& choices);
    /// Typing shows the choices that hold the text, wherever.
    void enableFilter();
    void showValue(const PlanView& view);
    /// A remark on the value, such as its size in a readable unit.
    void setRemark(const QString& remark);

    bool isChanged() const { return m_isOwn; }
    bool isAxis() const { return m_count > 1; }
    /// Its text or its value is wrong, or cannot work with what else is chosen.
    bool hasProblem() const;
    QWidget* editor() const;
    /// What was typed and is not valid is given up.
    void dropDraft();
    /// What takes the focus, in the order of the eye.
    QList<QWidget*> stops() const;

Q_SIGNALS:
    /// Whether it is changed, an axis or wrong may have changed.
    void stateChanged();

private:
    void build(EditorGuard& guard);
    void buildEditor(EditorGuard& guard);
    void fillChoices();
    void readTyped();
    void choose(int index);
    bool toggleValue(const config::Value& value);
    void commit(const config::Value& value, bool isTyped);
    void startAxis();
    void awaitNextValue();
    void openChecklist();
    config::Value shownValue() const;
    void reset();
    void putDraft(const QString& problem);
    void endDraft();
    void showSpecValue();
    void setEditorText(const QString& text);
    void refresh();
    void refreshInk();
    void refreshColours();

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
    SettingNote* m_note = nullptr;
    config::Value m_value; ///< in the spec; null: its default holds
    config::Value m_default; ///< as far as the rest of the spec decides
    bool m_isOwn = false;
    bool m_isDraft = false; ///< the text is not (yet) what it could be, and not in the spec
    std::size_t m_count = 1;
};

} // namespace headroom::ui
