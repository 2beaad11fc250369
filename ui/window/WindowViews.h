// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/docks/DockArea.h"
#include "ui/window/Services.h"

#include <QByteArray>
#include <QString>
#include <QVariantMap>

#include <optional>

class QMainWindow;
class QStackedWidget;

namespace headroom::ui {

class CompareView;
class DetailsView;
class EffectsView;
class ElidedLabel;
class ExperimentDock;
class ExperimentsView;
class FirstRunPage;
class LiveAnswer;
class LogView;
class PlannerView;
class QueueView;
class RehearseView;
class ResultsHeading;
class SegmentsView;
class TimelineView;
class TradeoffView;
class TrialsView;
class WhatIfView;

/// What the views are arranged for.
enum class Arrangement {
    Overview, ///< the default: the experiment on the left, a large plot, the tables below or, if there is room, beside
              ///< it
    SetUp, ///< the experiment wide, no tables
    Memory, ///< the timeline, and the trials to choose from
    Compare, ///< the comparison, and the trials to choose from
};

/// Creates the views and places them in a main window: the experiment on the left, the live answer above the stage,
/// tables and queue below. The stage has the plots; one of them fills it unless the user puts another beside or below
/// it. Every view is a dock that can be tabbed, split, floated, enlarged and closed.
class WindowViews {
public:
    /// The window owns the views. They are not placed before `arrange`.
    WindowViews(QMainWindow& window, Services& services);

    ElidedLabel* task = nullptr; ///< what the experiment on the left runs, in one line, for the toolbar
    LiveAnswer* answer = nullptr;
    FirstRunPage* firstRun = nullptr;
    ResultsHeading* heading = nullptr;
    TradeoffView* tradeoff = nullptr;
    TimelineView* timeline = nullptr;
    SegmentsView* segments = nullptr;
    WhatIfView* whatIf = nullptr;
    CompareView* compare = nullptr;
    EffectsView* effects = nullptr;
    PlannerView* plan = nullptr;
    RehearseView* rehearse = nullptr;
    ExperimentDock* experiment = nullptr;
    ExperimentsView* experiments = nullptr;
    TrialsView* trials = nullptr;
    DetailsView* details = nullptr;
    QueueView* queue = nullptr;
    LogView* log = nullptr;

    /// Those of the stage first.
    QList<QDockWidget*> docks() const;
    QDockWidget* dockOf(const QWidget* view) const;
    /// Opens the view's dock if it is closed, and gives the view the focus.
    void bringForward(QWidget* view);

    void setResults(const Results& results);

    enum class CentralPage { FirstSteps, Plots };
    void show(CentralPage page);

    void arrange(Arrangement arrangement);
    /// What is below the stage, or beside it in a wide window: trials, queue, details, log.
    QList<QWidget*> tables() const;
    bool showsTables() const { return !openTables().isEmpty(); }
    /// Opens the tables' docks, or closes them if any is open.
    void foldTables();
    /// Closes the tables until there is something in them: a run begins, or results are shown.
    void closeEmptyTables();
    /// Brings the queue to the front of the tables: a run begins.
    void raiseQueue();
    /// The same for a run of what the form has: its marks come into the tradeoff, and a plan leaves it the stage.
    void showRun();
    /// The window has another size: in a low one the tables give way to the plots, and come back in a higher one.
    void adapt();
    /// Lets the dock fill the window; if one does already, everything returns to its place.
    void enlarge(QDockWidget* dock);
    /// The same for the view that has the focus, else for the plot in front.
    void enlargeFocused();

    /// The view of the stage that is seen first; the tradeoff where none is.
    QWidget* plotInFront() const;

    /// Where every dock and toolbar is; while a dock is enlarged, where they were before.
    QByteArray layout() const;
    /// Does nothing if the bytes are not a layout.
    void restoreLayout(const QByteArray& layout);

    /// What the views themselves remember until the next start.
    QVariantMap state() const;
    void restore(const QVariantMap& state);

private:
    struct Places {
        QByteArray window;
        QByteArray stage;
    };

    void makeCentralWidget();
    void shareOut(Arrangement arrangement);
    void makeDocks();
    void linkToTimeline();
    void leaveEnlarged();
    Places places() const;
    void restorePlaces(const Places& places);
    void reopenTables();
    /// Those of the tables that are open.
    QList<QDockWidget*> openTables() const;

    QMainWindow& m_window;
    Services& m_services;
    QMainWindow* m_stage = nullptr; ///< a window within the window, so that Qt arranges its docks
    QStackedWidget* m_centralPages = nullptr;
    DockArea* m_sides = nullptr;
    DockArea* m_plots = nullptr;
    std::optional<Arrangement> m_unshown; ///< whose sizes are to be set again when the window is shown
    bool m_isLow = false; ///< the window has no room for tables below the plots
    bool m_gaveWay = false; ///< the tables were folded for that
    std::optional<Places> m_beforeEmpty; ///< while empty tables are closed: where everything was
    std::optional<Places> m_before; ///< while a dock is enlarged: where everything was
};

} // namespace headroom::ui
