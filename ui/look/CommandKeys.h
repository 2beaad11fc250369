// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

namespace headroom::ui {

/// Leaves a window's commands the keys that text fields of X11 and Wayland take for themselves: Ctrl+E and Ctrl+Shift+E
/// go to the end of the line there, which End does too. Belongs to the window.
class CommandKeys : public QObject {
public:
    explicit CommandKeys(QWidget& window);

    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace headroom::ui
