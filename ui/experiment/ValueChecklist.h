// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFrame>
#include <QString>

#include <vector>

class QLabel;
class QListWidget;
class QListWidgetItem;

namespace headroom::ui {

/// The values that a setting can be swept over, to be checked: opens as a popup below a field, adds nothing by itself
/// and says what the choice comes to. Deletes itself when it is closed.
class ValueChecklist : public QFrame {
    Q_OBJECT

public:
    struct Item {
        QString value;
        QString text; ///< what is shown
        bool isChecked = false;
    };

    /// `owner` is what is swept, for the heading and assistive technology.
    ValueChecklist(const QString& owner, const std::vector<Item>& items, QWidget* parent);

    /// Below or above the field, as wide as its texts, within the screen.
    void openAt(const QWidget& field);
    /// "2 values, 64 trials": what the choice comes to.
    void showOutcome(const QString& text);
    /// A value that is checked or not after all.
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
