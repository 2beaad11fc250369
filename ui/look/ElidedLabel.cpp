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

void ElidedLabel::setShort(bool isShort)
{
    if (m_isShort == isShort)
        return;
    m_isShort = isShort;
    updateGeometry();
}

// The width of the full line, so that a layout can share out the space it has.
QSize ElidedLabel::sizeHint() const
{
    const int width = m_isShort && !m_short.isEmpty() ? fontMetrics().horizontalAdvance(m_short) + 1 : wholeWidth();
    return {width, QLabel::sizeHint().height()};
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
