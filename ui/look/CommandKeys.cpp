// SPDX-License-Identifier: Apache-2.0
#include "ui/look/CommandKeys.h"

#include <QApplication>
#include <QKeyEvent>
#include <QWidget>

namespace headroom::ui {

CommandKeys::CommandKeys(QWidget& window)
    : QObject(&window)
{
    QApplication::instance()->installEventFilter(this);
}

// A field that accepts this event gets the key, and no command does.
bool CommandKeys::eventFilter(QObject*, QEvent* event)
{
    if (event->type() != QEvent::ShortcutOverride)
        return false;
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() != Qt::Key_E || (key->modifiers() & ~Qt::ShiftModifier) != Qt::ControlModifier)
        return false;
    event->ignore();
    return true;
}

} // namespace headroom::ui
