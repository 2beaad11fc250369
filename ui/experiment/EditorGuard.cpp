// SPDX-License-Identifier: Apache-2.0
#include "ui/experiment/EditorGuard.h"

#include "ui/look/WheelGuard.h"
#include "ui/spec/SpecSession.h"

#include <QKeyEvent>
#include <QWidget>

namespace headroom::ui {

EditorGuard::EditorGuard(SpecSession& session, QObject* parent)
    : QObject(parent)
    , m_session(session)
{
}

void EditorGuard::watch(QWidget* editor)
{
    editor->setFocusPolicy(Qt::StrongFocus);
    editor->installEventFilter(this);
}

bool EditorGuard::eventFilter(QObject* watched, QEvent* event)
{
    if (holdsBackWheel(watched, event))
        return true;
    // A list that offers words takes the focus while the user goes on typing.
    if (event->type() == QEvent::FocusOut && static_cast<QFocusEvent*>(event)->reason() != Qt::PopupFocusReason)
        m_session.endTyping();
    return takeUndoKey(event) || QObject::eventFilter(watched, event);
}

// Editors have their own undo history, which does not include the other fields.
bool EditorGuard::takeUndoKey(QEvent* event)
{
    if (event->type() != QEvent::ShortcutOverride && event->type() != QEvent::KeyPress)
        return false;
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool isUndo = key->matches(QKeySequence::Undo);
    if (!isUndo && !key->matches(QKeySequence::Redo))
        return false;
    if (event->type() == QEvent::KeyPress)
        isUndo ? m_session.undo() : m_session.redo();
    event->accept();
    return true;
}

} // namespace headroom::ui
