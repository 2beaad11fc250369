// SPDX-License-Identifier: Apache-2.0
#include "ui/look/DrawingRole.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QSet>

namespace headroom::ui {
namespace {

QSet<QString>& drawnClasses()
{
    static QSet<QString> classes;
    return classes;
}

QAccessibleInterface* speakingDrawing(const QString& className, QObject* object)
{
    auto* widget = qobject_cast<QWidget*>(object);
    return widget != nullptr && drawnClasses().contains(className) ? new QAccessibleWidget(widget, QAccessible::Chart)
                                                                   : nullptr;
}

} // namespace

void speakAsDrawing(const QMetaObject& widgetClass)
{
    if (drawnClasses().isEmpty())
        QAccessible::installFactory(speakingDrawing);
    drawnClasses().insert(QLatin1String(widgetClass.className()));
}

} // namespace headroom::ui
