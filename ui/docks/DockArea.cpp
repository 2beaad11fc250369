// SPDX-License-Identifier: Apache-2.0
#include "ui/docks/DockArea.h"

#include "ui/docks/DockTitle.h"

#include <QDockWidget>
#include <QEvent>
#include <QMainWindow>
#include <QTabBar>

namespace headroom::ui {

DockArea::DockArea(QMainWindow& window)
    : QObject(&window)
    , m_window(window)
{
    window.setDockOptions(QMainWindow::AllowNestedDocks | QMainWindow::AllowTabbedDocks | QMainWindow::GroupedDragging);
    window.setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    window.installEventFilter(this);
}

QDockWidget* DockArea::add(const QString& name, const QString& title, QWidget* view)
{
    auto* dock = new QDockWidget(title, &m_window);
    dock->setObjectName(name);
    dock->setWidget(view);
    adopt(dock);
    return dock;
}

// A floating dock has the title bar of the desktop.
void DockArea::adopt(QDockWidget* dock)
{
    m_docks.append(dock);
    auto* title = new DockTitle(*dock);
    dock->setTitleBarWidget(title);
    connect(title, &DockTitle::enlargeWanted, this, [this, dock] { Q_EMIT enlargeWanted(dock); });
    connect(dock, &QDockWidget::topLevelChanged, title, [dock, title](bool floats) {
        dock->setTitleBarWidget(floats ? nullptr : title);
        title->setVisible(!floats);
    });
}

QDockWidget* DockArea::dockOf(const QWidget* view) const
{
    for (QDockWidget* dock : m_docks)
        if (dock == view || dock->widget() == view)
            return dock;
    return nullptr;
}

void DockArea::place(Qt::DockWidgetArea area, const QList<QWidget*>& views)
{
    QDockWidget* first = dockOf(views.first());
    for (const QWidget* view : views) {
        QDockWidget* dock = dockOf(view);
        dock->setFloating(false);
        m_window.addDockWidget(area, dock);
        dock->show();
        if (dock != first)
            m_window.tabifyDockWidget(first, dock);
    }
    first->raise();
}

// Qt tells nobody that docks became tabs or that a bar of tabs was made; it lays its window out anew each time.
bool DockArea::eventFilter(QObject* watched, QEvent* event)
{
    const bool isShown = event->type() == QEvent::Resize || event->type() == QEvent::Show; // lays it out at once
    if ((event->type() == QEvent::LayoutRequest || isShown) && !m_isFollowing) {
        m_isFollowing = true;
        QMetaObject::invokeMethod(this, &DockArea::followLayout, Qt::QueuedConnection);
    }
    if (isShown)
        QMetaObject::invokeMethod(this, &DockArea::windowResized, Qt::QueuedConnection);
    return QObject::eventFilter(watched, event);
}

void DockArea::followLayout()
{
    m_isFollowing = false;
    for (QTabBar* tabs : m_window.findChildren<QTabBar*>(Qt::FindDirectChildrenOnly))
        connect(tabs, &QTabBar::tabBarDoubleClicked, this, &DockArea::enlargeTab, Qt::UniqueConnection);
    showTitles();
}

void DockArea::showTitles()
{
    for (QDockWidget* dock : m_docks)
        if (auto* title = qobject_cast<DockTitle*>(dock->titleBarWidget()))
            title->setPlace(
                m_window.tabifiedDockWidgets(dock).isEmpty() ? DockTitle::Place::Alone : DockTitle::Place::Tab);
}

// Qt keeps to itself which dock a tab stands for, but gives the tab its title.
void DockArea::enlargeTab(int index)
{
    const auto* tabs = qobject_cast<QTabBar*>(sender());
    if (tabs == nullptr || index < 0)
        return;
    for (QDockWidget* dock : m_docks)
        if (dock->windowTitle() == tabs->tabText(index))
            return Q_EMIT enlargeWanted(dock);
}

} // namespace headroom::ui
