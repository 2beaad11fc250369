// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

class QWidget;

namespace headroom::ui {

/// Whether the event is a wheel event over a field without the focus. It is then ignored, so that the surrounding area
/// scrolls, and the field must not get it: scrolling a page must not change values on the way.
bool holdsBackWheel(QObject* watched, QEvent* event);

/// Keeps such wheel events from one field, which owns the guard.
class WheelGuard : public QObject {
    Q_OBJECT

public:
    explicit WheelGuard(QWidget* field);

    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace headroom::ui
