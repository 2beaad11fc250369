// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

namespace headroom::ui {

constexpr int kLowWindow = 760; ///< px: a window that is lower has no room for all that a usual one shows

inline bool isInLowWindow(const QWidget& widget)
{
    return widget.window()->height() < kLowWindow;
}

} // namespace headroom::ui
