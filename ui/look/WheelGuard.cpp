// SPDX-License-Identifier: Apache-2.0
#include "ui/look/WheelGuard.h"

#include <QEvent>
#include <QWidget>

namespace headroom::ui {

bool holdsBackWheel(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::Wheel || qobject_cast<QWidget*>(watched)->hasFocus())
        return false;
    event->ignore();
    return true;
}

WheelGuard::WheelGuard(QWidget* field)
    : QObject(field)
{
    field->installEventFilter(this);
}

bool WheelGuard::eventFilter(QObject* watched, QEvent* event)
{
    return holdsBackWheel(watched, event);
}

} // namespace headroom::ui
