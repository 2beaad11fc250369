// SPDX-License-Identifier: Apache-2.0
#include "ui/answer/ShortTextBox.h"

#include <QStyleOptionComboBox>
#include <QStylePainter>

namespace headroom::ui {

QSize ShortTextBox::sizeHint() const
{
    QStyleOptionComboBox option;
    initStyleOption(&option);
    const QSize text(fontMetrics().horizontalAdvance(shortText()) + 1, fontMetrics().height());
    return style()->sizeFromContents(QStyle::CT_ComboBox, &option, text, this);
}

void ShortTextBox::paintEvent(QPaintEvent*)
{
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    option.currentText = shortText();
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

} // namespace headroom::ui
