// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFrame>
#include <QString>

#include <vector>

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

} // namespace headroom::ui
