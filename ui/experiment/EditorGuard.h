// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

class QWidget;

namespace headroom::ui {

class SpecSession;

/// Watches over the editors of a form: the wheel scrolls the form and changes no value on its way, undo and redo are
/// those of the spec, and what is typed after coming back to a field is undone by itself.
class EditorGuard : public QObject {
    Q_OBJECT

public:
    EditorGuard(SpecSession& session, QObject* parent);

    void watch(QWidget* editor);

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool takeUndoKey(QEvent* event);

    SpecSession& m_session;
};

} // namespace headroom::ui
