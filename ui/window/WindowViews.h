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

/// Makes the views and puts them into a main window: the experiment on the left, the live answer above the tradeoff and
/// the timeline in the middle, tables and queue below. Every dock can be moved, closed and brought back.
class WindowViews {
public:
    /// The window owns the views. They have no places before `resetLayout`.
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
    /// Opens the dock, where it is closed, and gives the view the focus.
    void bringForward(QWidget* view);

    enum class Middle { FirstSteps, Plots };
    void show(Middle middle);

    /// As a new user finds it.
    void resetLayout();

    QVariantMap state() const;
    void restore(const QVariantMap& state);

private:
    void makeMiddle();
    void adopt(QDockWidget* dock);
    QDockWidget* addDock(const QString& name, const QString& title, QWidget* view);

    QMainWindow& m_window;
    Services& m_services;
    QStackedWidget* m_middle = nullptr;
    QSplitter* m_plots = nullptr;
    QList<QDockWidget*> m_docks;
};

} // namespace headroom::ui
