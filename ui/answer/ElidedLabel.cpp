// SPDX-License-Identifier: Apache-2.0
#include "ui/answer/ElidedLabel.h"

#include <QPainter>
#include <QStyle>

namespace headroom::ui {

void ElidedLabel::setLine(const QString& text, const QString& details)
{
    setTextFormat(Qt::PlainText);
    setText(text);
    setToolTip(details.isEmpty() ? text : text + QStringLiteral("\n") + details);
}

QSize ElidedLabel::minimumSizeHint() const
{
    return {fontMetrics().horizontalAdvance(QStringLiteral("0000")), QLabel::minimumSizeHint().height()};
}

void ElidedLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const QString shown = fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width());
    style()->drawItemText(
        &painter, contentsRect(), static_cast<int>(alignment()), palette(), isEnabled(), shown, foregroundRole());
}

} // namespace headroom::ui
