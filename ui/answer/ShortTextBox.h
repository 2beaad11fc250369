// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QComboBox>

namespace headroom::ui {

/// A combo box whose closed box shows a shorter text than its list, and is as wide as that.
class ShortTextBox : public QComboBox {
    Q_OBJECT

public:
    /// The item's data for its short text.
    static constexpr int kShortTextRole = Qt::UserRole + 1;

    using QComboBox::QComboBox;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString shortText() const { return currentData(kShortTextRole).toString(); }
};

} // namespace headroom::ui
