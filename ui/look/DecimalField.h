// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDoubleSpinBox>

namespace headroom::ui {

/// A number with decimals. It is written with a point, as every number in the window, in tables, reports and specs; who
/// has a comma on the keyboard types it.
class DecimalField : public QDoubleSpinBox {
    Q_OBJECT

public:
    explicit DecimalField(QWidget* parent = nullptr);

    QValidator::State validate(QString& text, int& position) const override;
};

} // namespace headroom::ui
