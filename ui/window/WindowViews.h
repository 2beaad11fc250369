// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/window/Services.h"

#include <QList>
#include <QString>
#include <QVariantMap>

class QDockWidget;
class QMainWindow;
class QSplitter;
class QStackedWidget;

namespace headroom::ui {

class DetailsView;
class ExperimentDock;
class ExperimentsView;
class FirstRunPage;
class LiveAnswer;
class LogView;
class QueueView;
class ResultsHeading;
class TimelineView;
class TradeoffView;
class TrialsView;

/// Creates the views and places them in a main window: the experiment on the left, the live answer above the tradeoff
/// and the timeline in the centre, tables and queue below. Every dock can be moved, closed and reopened.
class WindowViews {
public:
    /// The window owns the views. They are not placed before `resetLayout`.
    WindowViews(QMainWindow& window, Services& services);

    LiveAnswer* answer = nullptr;
    FirstRunPage* firstRun = nullptr;
    ResultsHeading* heading = nullptr;
    TradeoffView* tradeoff = nullptr;
    TimelineView* timeline = nullptr;
    ExperimentDock* experiment = nullptr;
    ExperimentsView* experiments = nullptr;
    TrialsView* trials = nullptr;
    DetailsView* details = nullptr;
    QueueView* queue = nullptr;
    LogView* log = nullptr;

    const QList<QDockWidget*>& docks() const { return m_docks; }
    QDockWidget* dockOf(const QWidget* view) const;
    /// Opens the view's dock if it is closed, and gives the view the focus.
    void bringForward(QWidget* view);

    enum class CentralPage { FirstSteps, Plots };
    void show(CentralPage page);

    /// Restores the default layout.
    void resetLayout();

    QVariantMap state() const;
    void restore(const QVariantMap& state);

private:
    void makeCentralWidget();
    void adopt(QDockWidget* dock);
    QDockWidget* addDock(const QString& name, const QString& title, QWidget* view);

    QMainWindow& m_window;
    Services& m_services;
    QStackedWidget* m_centralPages = nullptr;
    QSplitter* m_plots = nullptr;
    QList<QDockWidget*> m_docks;
};

} // namespace headroom::ui
