// SPDX-License-Identifier: Apache-2.0
#include "ui/look/ElidedLabel.h"

#include <QPainter>
#include <QStyle>

namespace headroom::ui {
namespace {

constexpr int kLeastLetters = 8; ///< fewer of a longer line tell nothing: they are left out

} // namespace

void ElidedLabel::setLine(const QString& text, const QString& details)
{
    setTextFormat(Qt::PlainText);
    setText(text);
    m_short.clear();
    setToolTip(details.isEmpty() ? text : text + QStringLiteral("\n") + details);
}

// The width of the full line, so that a layout can share out the space it has.
QSize ElidedLabel::sizeHint() const
{
    return {fontMetrics().horizontalAdvance(text()) + 1, QLabel::sizeHint().height()};
}

QSize ElidedLabel::minimumSizeHint() const
{
    return {fontMetrics().horizontalAdvance(QStringLiteral("0000")), QLabel::minimumSizeHint().height()};
}

void ElidedLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const int room = contentsRect().width();
    const bool isTooWide = fontMetrics().horizontalAdvance(text()) > room;
    const QString& line = isTooWide && !m_short.isEmpty() ? m_short : text();
    const bool hasTooFewLetters =
        fontMetrics().horizontalAdvance(line) > room && room < kLeastLetters * fontMetrics().averageCharWidth();
    const QString shown = hasTooFewLetters ? QString() : fontMetrics().elidedText(line, Qt::ElideRight, room);
    style()->drawItemText(
        &painter, contentsRect(), static_cast<int>(alignment()), palette(), isEnabled(), shown, foregroundRole());
}

} // namespace headroom::ui
