// SPDX-License-Identifier: Apache-2.0
#include "ui/plan/CommandField.h"

#include <QFontDatabase>

#include <algorithm>
#include <cmath>

namespace headroom::ui {
namespace {

constexpr int kMostCommandLines = 2;

} // namespace

CommandField::CommandField(QWidget* parent)
    : QPlainTextEdit(parent)
{
    setReadOnly(true);
    setTabChangesFocus(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    fitHeight();
}

void CommandField::setCommand(const QString& text)
{
    setPlainText(text);
    fitHeight();
}

void CommandField::resizeEvent(QResizeEvent* event)
{
    QPlainTextEdit::resizeEvent(event);
    fitHeight();
}

// The document counts its lines, not pixels.
void CommandField::fitHeight()
{
    const int all = std::max(1, static_cast<int>(std::ceil(document()->size().height())));
    const int around = 2 * frameWidth() + static_cast<int>(std::ceil(2 * document()->documentMargin()));
    setFixedHeight(std::min(all, kMostCommandLines) * fontMetrics().lineSpacing() + around + 2);
    setVerticalScrollBarPolicy(all > kMostCommandLines ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
}

} // namespace headroom::ui
