// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAction>
#include <QList>
#include <QWidget>

namespace headroom::ui {

/// The actions of the timeline view. Their shortcuts work while the view or a child has the focus. The view owns them;
/// menus may show them. Saving and copying apply to the lane that has the focus, or to the first.
struct TimelineActions {
    explicit TimelineActions(QWidget& view);

    QAction* zoomIn = nullptr;
    QAction* zoomOut = nullptr;
    QAction* panLeft = nullptr;
    QAction* panRight = nullptr;
    QAction* fit = nullptr;
    QAction* back = nullptr;
    QAction* forward = nullptr;
    QAction* peak = nullptr;
    QAction* centre = nullptr;
    QAction* previousPhase = nullptr;
    QAction* nextPhase = nullptr;
    QAction* contents = nullptr; ///< checkable: the panel at the side
    QAction* table = nullptr; ///< checkable: all lanes as tables
    QAction* copy = nullptr;
    QAction* save = nullptr;

    /// In the order of a menu, with separators.
    QList<QAction*> all;
};

} // namespace headroom::ui
