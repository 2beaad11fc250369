// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/experiment/SettingChoice.h"
#include "ui/look/LowWindow.h"

#include <QEvent>
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

/// One setting of the form: label, editor, a button that turns it into a sweep axis, one that resets it to its default,
/// and a line for notes. Text is checked as it is typed; only valid text goes into the spec.
class SettingRow : public QWidget {
    Q_OBJECT

public:
    using Choice = SettingChoice;

    SettingRow(Setting setting, SpecSession& session, Theme& theme, EditorGuard& guard, QWidget* parent = nullptr);

    const Setting& setting() const { return m_setting; }
    /// Replaces the field's own choices.
    void setChoices(const std::vector<Choice>& choices);
    void showValue(const PlanView& view);
    /// Puts a widget in the label's place; it names the setting from then on. It takes its own width, or the share that
    /// labels have.
    enum class LabelWidth { Own, Shared };
    void replaceLabel(QWidget* widget, LabelWidth width = LabelWidth::Own);
    /// Without its editor the row keeps its line, and its notes.
    enum class Editor { Shown, Hidden };
    void setEditor(Editor editor)
    {
        m_editor = editor;
        refresh();
    }

    bool isChanged() const { return m_isOwn; }
    bool isAxis() const { return m_count > 1; }
    /// Whether its text or its value is wrong, or conflicts with another setting.
    bool hasProblem() const;
    QWidget* editor() const;
    /// Discards typed text that is not valid.
    void dropDraft();
    /// The widgets that take the focus, in reading order.
    QList<QWidget*> stops() const;

protected:
    void resizeEvent(QResizeEvent*) override { refreshPlace(); }
    /// A part that became wider or narrower changes the room of the others, and not the row's size.
    bool event(QEvent* event) override
    {
        const bool isKnown = QWidget::event(event);
        if (event->type() == QEvent::LayoutRequest)
            refreshPlace();
        return isKnown;
    }

Q_SIGNALS:
    /// isChanged(), isAxis() or hasProblem() may have changed.
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
    void refreshPlace();
    /// A sweep axis that has no line of its own, and no room for all buttons.
    bool isTight() const { return isAxis() && isInLowWindow(*this); }
    /// Its label is a switch, which is also the way back: while it is on, the row needs no button for that.
    bool isSwitched() const { return m_labelWidth == LabelWidth::Own; }
    bool isSwitchedOn() const { return isSwitched() && m_value != m_setting.field.defaultValue; }
    bool canReset() const
    {
        return m_isOwn && m_setting.need == Setting::Need::Optional && !isTight() && !isSwitchedOn();
    }
    void refreshInk();
    void refreshColours();

    Setting m_setting;
    SpecSession& m_session;
    Theme& m_theme;
    std::vector<Choice> m_choices;
    QLabel* m_label = nullptr;
    QCheckBox* m_check = nullptr; ///< for Boolean settings that are not an axis
    QComboBox* m_combo = nullptr; ///< for settings with choices
    QLineEdit* m_line = nullptr;
    QToolButton* m_axis = nullptr;
    QToolButton* m_reset = nullptr;
    SettingNote* m_note = nullptr;
    QLabel* m_values = nullptr; ///< how many a sweep axis has
    config::Value m_value; ///< the value in the spec; null: the default applies
    config::Value m_default; ///< the default, as the rest of the spec determines it
    Editor m_editor = Editor::Shown;
    LabelWidth m_labelWidth = LabelWidth::Shared;
    bool m_isOwn = false;
    bool m_isDraft = false; ///< the text is not (yet) valid and not in the spec
    std::size_t m_count = 1;
};

} // namespace headroom::ui
