// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

class QWidget;

namespace headroom::ui {

class SpecSession;

/// Filters the events of a form's editors: the wheel scrolls the form without changing values, undo and redo are those
/// of the spec, and text that is typed after returning to a field is a new undo step.
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
