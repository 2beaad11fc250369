// SPDX-License-Identifier: Apache-2.0
#include "ui/plot/ActionMaker.h"

namespace headroom::ui {

ActionMaker::ActionMaker(QWidget& view, QList<QAction*>& all)
    : m_view(view)
    , m_all(all)
{
}

QAction* ActionMaker::make(
    const char* name, const QString& text, const QList<QKeySequence>& shortcuts, const QString& tip)
{
    auto* action = new QAction(text, &m_view);
    action->setObjectName(QLatin1String(name));
    action->setShortcuts(shortcuts);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    const QString keys = shortcuts.isEmpty() ? QString() : shortcuts.front().toString(QKeySequence::NativeText);
    action->setToolTip(keys.isEmpty() ? tip : QStringLiteral("%1 (%2)").arg(tip, keys));
    action->setStatusTip(tip);
    m_view.addAction(action);
    m_all.append(action);
    return action;
}

QAction* ActionMaker::makeSwitch(
    const char* name, const QString& text, const QKeySequence& shortcut, const QString& tip)
{
    QAction* action = make(name, text, {shortcut}, tip);
    action->setCheckable(true);
    return action;
}

void ActionMaker::separate()
{
    auto* separator = new QAction(&m_view);
    separator->setSeparator(true);
    m_all.append(separator);
}

} // namespace headroom::ui
