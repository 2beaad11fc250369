// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAction>
#include <QKeySequence>
#include <QList>
#include <QString>
#include <QWidget>

namespace headroom::ui {

/// Makes the actions of a view, which owns them; their keys work while it or something in it has the focus.
class ActionMaker {
public:
    /// `all` gets them in the order of a menu.
    ActionMaker(QWidget& view, QList<QAction*>& all);

    /// Each of `shortcuts` triggers it; none is fine.
    QAction* make(const char* name, const QString& text, const QList<QKeySequence>& shortcuts, const QString& tip);
    QAction* makeSwitch(const char* name, const QString& text, const QKeySequence& shortcut, const QString& tip);
    void separate();

private:
    QWidget& m_view;
    QList<QAction*>& m_all;
};

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
