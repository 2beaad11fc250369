// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/spec/SettingText.h"

#include <QFrame>
#include <QString>

#include <vector>

class QComboBox;
class QLabel;
class QListWidget;
class QListWidgetItem;

namespace headroom::ui {

/// A popup below a field with check boxes for the values that a setting can be swept over. It does not change the spec
/// itself, and it shows the resulting number of trials. It deletes itself when it is closed.
class ValueChecklist : public QFrame {
    Q_OBJECT

public:
    struct Item {
        QString value;
        QString text; ///< the displayed text
        bool isChecked = false;
    };

    /// `owner` names the swept setting, for the heading and for assistive technology.
    ValueChecklist(const QString& owner, const std::vector<Item>& items, QWidget* parent);

    /// Opens below or above the field, as wide as its texts need, within the screen.
    void openAt(const QWidget& field);
    /// Shows the outcome of the selection: "2 values, 64 trials".
    void showOutcome(const QString& text);
    /// Corrects the check mark of one value.
    void setChecked(const QString& value, bool isChecked);

Q_SIGNALS:
    void toggled(const QString& value, bool isChecked);

private:
    void add(const Item& item);
    QSize fittingSize() const;

    QListWidget* m_list;
    QLabel* m_outcome;
};

class SpecSession;

/// A value to choose, and its meaning.
struct SettingChoice {
    QString value;
    QString meaning; ///< shown beside it in the list; may be empty

    bool operator==(const SettingChoice&) const = default;
};

/// The text of a list entry: "every:N – each Nth block".
QString entryText(const SettingChoice& choice);

/// Makes them the entries of the combo box, whose list is as wide as their texts.
void fill(QComboBox& combo, const std::vector<SettingChoice>& choices);

/// The choices that the field itself defines: its fixed choices, on and off, and suggestions.
std::vector<SettingChoice> ownChoices(const Setting& setting);

/// The items of a checklist for a setting with these values; values that are not among the choices come last.
std::vector<ValueChecklist::Item> checklistItems(
    const std::vector<SettingChoice>& choices, const config::Value::List& values, const Setting& setting);

/// The values of a sweep with `one` added, or removed if it is already there; null if none is left.
config::Value withToggled(const config::Value& values, const config::Value& one, const config::Field& field);

/// Path, meaning and valid values, as rich text.
QString toolTipOf(const Setting& setting);

/// "2 values, 64 trials"
QString sweepOutcome(std::size_t values, const SpecSession& session);

} // namespace headroom::ui
