// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAction>
#include <QList>
#include <QWidget>

namespace headroom::ui {

/// The actions of a plot, with their shortcuts, which work while the plot or something in it has the focus. Owned by
/// the plot; menus may show them.
struct PlotActions {
    explicit PlotActions(QWidget& plot);

    QAction* zoomIn = nullptr;
    QAction* zoomOut = nullptr;
    QAction* fit = nullptr;
    QAction* back = nullptr;
    QAction* forward = nullptr;
    QAction* panLeft = nullptr;
    QAction* panRight = nullptr;
    QAction* lasso = nullptr; ///< checkable
    QAction* logX = nullptr; ///< checkable
    QAction* logY = nullptr; ///< checkable
    QAction* table = nullptr; ///< checkable
    QAction* copy = nullptr;
    QAction* save = nullptr;

    /// In the order of a menu, with separators.
    QList<QAction*> all;
};

} // namespace headroom::ui
