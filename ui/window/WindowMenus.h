// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/window/Preferences.h"

#include <QKeySequence>
#include <QList>
#include <QObject>

#include <functional>

class QAction;
class QMenu;

namespace headroom::ui {

class MainWindow;
class PictureDesk;
struct Services;

/// The menus and the toolbar of the main window. Every command is in one of them, with its shortcut.
class WindowMenus : public QObject {
    Q_OBJECT

public:
    WindowMenus(MainWindow& window, Services& services);

    /// Every action, in the order of the menus.
    QList<QAction*> commands() const;

    void showRecent(const Preferences& preferences);
    void showScheme(ColourScheme scheme);

    QAction* run() const { return m_run; }

Q_SIGNALS:
    void schemeChosen(headroom::ui::ColourScheme scheme);

private:
    using Act = std::function<void()>;

    QAction* add(QMenu* menu, const QString& text, const QKeySequence& keys, const Act& act);
    void addAll(QMenu* menu, const QList<QAction*>& actions);
    void makeFileMenu();
    void makeExampleMenu(QMenu* file);
    void makeEditMenu();
    void makeUndoActions(QMenu* menu);
    void makePictureActions(QMenu* menu);
    void showUndo();
    void makeRunMenu();
    void makeViewMenu();
    void makeArrangementMenu(QMenu* view);
    void makeSchemeMenu(QMenu* view);
    void makeHelpMenu();
    void makeToolbar();
    void paintSymbols();
    void fillRecent(QMenu* menu, const QStringList& files, const std::function<void(const QString&)>& open);

    MainWindow& m_window;
    Services& m_services;
    PictureDesk* m_pictures;
    QList<QMenu*> m_menus;
    QMenu* m_recentSpecs = nullptr;
    QMenu* m_recentWorkspaces = nullptr;
    QMenu* m_recentModels = nullptr;
    QMenu* m_recentRecordings = nullptr;
    QAction* m_undo = nullptr;
    QAction* m_redo = nullptr;
    QAction* m_run = nullptr;
    QAction* m_export = nullptr;
    QAction* m_fit = nullptr;
    QAction* m_enlarge = nullptr;
    QAction* m_fold = nullptr;
    QList<QAction*> m_schemes;
};

} // namespace headroom::ui
