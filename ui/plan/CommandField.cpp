// SPDX-License-Identifier: Apache-2.0
#include "ui/plan/CommandField.h"

#include <QFontDatabase>

#include <cmath>

namespace headroom::ui {
namespace {

constexpr int kShownLines = 2;
constexpr int kMargin = 2; ///< px

} // namespace

CommandField::CommandField(QWidget* parent)
    : QPlainTextEdit(parent)
{
    setReadOnly(true);
    setTabChangesFocus(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    document()->setDocumentMargin(kMargin); // so that nothing is seen of a line that is not whole
    setFixedHeight(kShownLines * fontMetrics().lineSpacing() + 2 * (frameWidth() + kMargin));
}

void CommandField::setCommand(const QString& text)
{
    setPlainText(text);
    showBar();
}

void CommandField::resizeEvent(QResizeEvent* event)
{
    QPlainTextEdit::resizeEvent(event);
    showBar();
}

// The document counts its lines, not pixels.
void CommandField::showBar()
{
    const int all = static_cast<int>(std::ceil(document()->size().height()));
    setVerticalScrollBarPolicy(all > kShownLines ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
}

} // namespace headroom::ui
