// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

class QWidget;

namespace headroom::ui {

/// Whether the event is a wheel over a field without the focus. It is then ignored, so that what is around the field
/// scrolls, and the field must not see it: a page that is scrolled changes no value on its way.
bool holdsBackWheel(QObject* watched, QEvent* event);

/// Keeps such wheels from one field, which owns it.
class WheelGuard : public QObject {
    Q_OBJECT

public:
    explicit WheelGuard(QWidget* field);

    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace headroom::ui
