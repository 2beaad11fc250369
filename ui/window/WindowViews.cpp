// SPDX-License-Identifier: Apache-2.0
#include "ui/window/WindowViews.h"

#include "ui/answer/LiveAnswer.h"
#include "ui/compare/CompareView.h"
#include "ui/effects/EffectsView.h"
#include "ui/experiment/ExperimentDock.h"
#include "ui/look/ElidedLabel.h"
#include "ui/look/LowWindow.h"
#include "ui/plan/PlannerView.h"
#include "ui/plot/TradeoffView.h"
#include "ui/queue/LogView.h"
#include "ui/queue/QueueView.h"
#include "ui/recordings/WhatIfView.h"
#include "ui/rehearse/RehearseView.h"
#include "ui/results/DetailsView.h"
#include "ui/results/ExperimentsView.h"
#include "ui/results/TrialsView.h"
#include "ui/segments/SegmentsView.h"
#include "ui/start/FirstRunPage.h"
#include "ui/timeline/TimelineView.h"
#include "ui/window/ResultsHeading.h"

#include <QApplication>
#include <QDataStream>
#include <QDockWidget>
#include <QMainWindow>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <utility>

namespace headroom::ui {
namespace {

// In multiples of the average character width and of the line height.
constexpr int kSideColumns = 40;
constexpr int kWideSideColumns = 56;
constexpr int kBelowLines = 15;
constexpr double kBelowShare = 0.195; ///< maximum share of the window's height: four rows of 900 px
constexpr int kBesideFrom = 2'400; ///< px of the window's width from which the tables are beside the plots

// The widget that gets the focus first: what the view names as such, itself, or its first visible child that accepts
// it. A table that has no rows yet is hidden, and what is hidden gets no keys.
QWidget* firstToFocus(QWidget* view)
{
    const QWidget* proxy = view->focusProxy();
    if (proxy != nullptr ? proxy->isVisible() && proxy->isEnabled() : bool(view->focusPolicy() & Qt::TabFocus))
        return view;
    for (QWidget* next = view->nextInFocusChain(); next && next != view; next = next->nextInFocusChain())
        if (view->isAncestorOf(next) && (next->focusPolicy() & Qt::TabFocus) && next->isVisible() && next->isEnabled())
            return next;
    return view;
}

} // namespace

WindowViews::WindowViews(QMainWindow& window, Services& services)
    : m_window(window)
    , m_services(services)
{
    makeCentralWidget();
    makeDocks();
}

void WindowViews::makeCentralWidget()
{
    task = new ElidedLabel(&m_window);
    task->setObjectName(QStringLiteral("task"));
    task->setAccessibleName(QStringLiteral("What the experiment runs"));
    auto* middle = new QWidget(&m_window);
    answer = new LiveAnswer(m_services.theme, m_services.predictor, middle);
    m_centralPages = new QStackedWidget(middle);
    firstRun = new FirstRunPage(m_centralPages);
    auto* results = new QWidget(m_centralPages);
    heading = new ResultsHeading(m_services.theme, results);
    m_stage = new QMainWindow(results);
    m_stage->setWindowFlags(Qt::Widget); // the constructor makes every main window a window of its own
    m_stage->setObjectName(QStringLiteral("stage"));
    m_centralPages->addWidget(firstRun);
    m_centralPages->addWidget(results);
    // The first page asks about a model of its own, and results may be of another: the answer is of neither.
    QObject::connect(heading, &ResultsHeading::refreshed, answer,
        [this] { answer->setSubjectShown(m_centralPages->currentWidget() == firstRun || heading->isOfAnother()); });
    QObject::connect(m_centralPages, &QStackedWidget::currentChanged, heading, &ResultsHeading::refreshed);
    auto* below = new QVBoxLayout(results);
    below->setContentsMargins(0, 0, 0, 0);
    below->setSpacing(0);
    below->addWidget(heading);
    below->addWidget(m_stage, 1);
    auto* layout = new QVBoxLayout(middle);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(answer);
    layout->addWidget(m_centralPages, 1);
    m_window.setCentralWidget(middle);
}

void WindowViews::makeDocks()
{
    tradeoff = new TradeoffView(m_services.theme, m_services.selection, m_stage);
    timeline = new TimelineView(m_services.theme, m_services.selection, m_stage);
    segments = new SegmentsView(m_services.theme, m_stage);
    whatIf = new WhatIfView(m_services.theme, m_stage);
    compare = new CompareView(m_services.theme, m_services.selection, m_stage);
    effects = new EffectsView(m_services.theme, m_stage);
    plan = new PlannerView(m_services.theme, m_stage);
    rehearse = new RehearseView(m_services.theme, m_stage);
    experiment = new ExperimentDock(m_services.spec, m_services.theme, &m_window);
    experiments = new ExperimentsView(m_services.workspaces, m_services.theme, &m_window);
    trials = new TrialsView(m_services.theme, m_services.selection, &m_window);
    details = new DetailsView(m_services.theme, m_services.selection, &m_window);
    queue = new QueueView(m_services.runs, m_services.theme, &m_window);
    log = new LogView(m_services.runs, m_services.theme, &m_window);
    m_plots = new DockArea(*m_stage);
    m_plots->add(QStringLiteral("tradeoffDock"), QStringLiteral("Tradeoff"), tradeoff);
    m_plots->add(QStringLiteral("timelineDock"), QStringLiteral("Timeline"), timeline);
    m_plots->add(QStringLiteral("segmentsDock"), QStringLiteral("Segments"), segments);
    m_plots->add(QStringLiteral("whatIfDock"), QStringLiteral("What if"), whatIf);
    m_plots->add(QStringLiteral("compareDock"), QStringLiteral("Compare"), compare);
    m_plots->add(QStringLiteral("effectsDock"), QStringLiteral("Effects"), effects);
    m_plots->add(QStringLiteral("planDock"), QStringLiteral("Plan"), plan);
    m_plots->add(QStringLiteral("rehearseDock"), QStringLiteral("Rehearse"), rehearse);
    linkToTimeline();
    m_sides = new DockArea(m_window);
    m_sides->adopt(experiment);
    m_sides->add(QStringLiteral("experimentsDock"), QStringLiteral("Workspace"), experiments);
    m_sides->add(QStringLiteral("trialsDock"), QStringLiteral("Trials"), trials);
    m_sides->add(QStringLiteral("queueDock"), QStringLiteral("Queue"), queue);
    m_sides->add(QStringLiteral("detailsDock"), QStringLiteral("Details"), details);
    m_sides->add(QStringLiteral("logDock"), QStringLiteral("Log"), log);
    QObject::connect(m_sides, &DockArea::windowResized, &m_window, [this] { adapt(); });
    for (DockArea* area : {m_plots, m_sides})
        QObject::connect(area, &DockArea::enlargeWanted, &m_window, [this](QDockWidget* dock) { enlarge(dock); });
}

// They are about the timeline's trial, segments at its cursor; a moment that is chosen there moves the cursor.
void WindowViews::linkToTimeline()
{
    TimelineStack& stack = timeline->stack();
    QObject::connect(&stack, &TimelineStack::shownChanged, segments, [this, &stack] {
        const TimelineSlot* slot = stack.current();
        const bool isRead = slot != nullptr && slot->window;
        segments->setSubject(
            isRead ? std::optional(SegmentSubject{slot->subject, slot->window->repeat}) : std::nullopt);
        const bool isTraced = isRead && slot->hasTrace();
        whatIf->setSubject(isTraced ? std::optional(WhatIfSubject{slot->subject.workspace, slot->subject.experiment,
                                          slot->subject.trialId, slot->window->repeat, slot->subject.title})
                                    : std::nullopt);
    });
    QObject::connect(&stack, &TimelineStack::marksChanged, segments, [this, &stack] {
        if (stack.cursor() && stack.current() != nullptr)
            segments->showTime(*stack.cursor() + stack.current()->shiftNs);
    });
    QObject::connect(segments, &SegmentsView::timeChosen, &stack, [&stack](qint64 timeNs) {
        if (stack.current() != nullptr && stack.current()->hasTrace())
            stack.setCursor(timeNs - stack.current()->shiftNs);
    });
}

QList<QWidget*> WindowViews::tables() const
{
    return {trials, queue, details, log};
}

QList<QDockWidget*> WindowViews::docks() const
{
    return m_plots->docks() + m_sides->docks();
}

QDockWidget* WindowViews::dockOf(const QWidget* view) const
{
    QDockWidget* dock = m_plots->dockOf(view);
    return dock != nullptr ? dock : m_sides->dockOf(view);
}

void WindowViews::bringForward(QWidget* view)
{
    QDockWidget* dock = dockOf(view);
    if (dock != nullptr && !dock->isVisibleTo(dock->parentWidget()))
        leaveEnlarged();
    if (m_plots->dockOf(view) != nullptr)
        show(CentralPage::Plots);
    if (dock != nullptr) {
        dock->show();
        dock->raise();
    }
    firstToFocus(view)->setFocus(Qt::ShortcutFocusReason);
}

void WindowViews::show(CentralPage page)
{
    m_centralPages->setCurrentIndex(page == CentralPage::FirstSteps ? 0 : 1);
}

void WindowViews::setResults(const Results& results)
{
    if (results)
        reopenTables();
    heading->setResults(results);
    tradeoff->setResults(results);
    timeline->setResults(results);
    compare->setResults(results);
    effects->setResults(results);
    trials->setResults(results);
    details->setResults(results);
}

// ---- arrangements

void WindowViews::arrange(Arrangement arrangement)
{
    m_before.reset();
    m_beforeEmpty.reset();
    m_window.centralWidget()->show();
    m_window.setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    m_window.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    m_plots->place(Qt::TopDockWidgetArea, {tradeoff, timeline, segments, whatIf, compare, effects, plan, rehearse});
    m_sides->place(Qt::LeftDockWidgetArea, {experiment, experiments});
    const bool isWide = m_window.width() >= kBesideFrom;
    m_sides->place(isWide ? Qt::RightDockWidgetArea : Qt::BottomDockWidgetArea, tables());
    shareOut(arrangement);
    m_isLow = isInLowWindow(m_window);
    m_gaveWay = m_isLow && arrangement != Arrangement::SetUp;
    if (arrangement == Arrangement::SetUp || m_isLow)
        foldTables();
    if (arrangement != Arrangement::Memory && arrangement != Arrangement::Compare)
        return;
    for (QWidget* view : std::initializer_list<QWidget*>{experiment, experiments})
        dockOf(view)->close();
    bringForward(arrangement == Arrangement::Memory ? static_cast<QWidget*>(timeline) : compare);
}

// Qt forgets the sizes of docks in a window that was never shown: they are set once more when it is.
void WindowViews::shareOut(Arrangement arrangement)
{
    m_unshown = m_window.isVisible() ? std::nullopt : std::optional(arrangement);
    const bool isWide = m_window.width() >= kBesideFrom;
    const QFontMetrics metrics = m_window.fontMetrics();
    const int side = metrics.averageCharWidth() * (arrangement == Arrangement::SetUp ? kWideSideColumns : kSideColumns);
    m_window.resizeDocks({dockOf(experiment)}, {std::max(side, experiment->minimumSizeHint().width())}, Qt::Horizontal);
    const int below = std::min(metrics.lineSpacing() * kBelowLines, static_cast<int>(m_window.height() * kBelowShare));
    if (isWide)
        m_window.resizeDocks({dockOf(trials)}, {m_window.width() / 3}, Qt::Horizontal);
    else
        m_window.resizeDocks({dockOf(trials)}, {below}, Qt::Vertical);
}

QList<QDockWidget*> WindowViews::openTables() const
{
    QList<QDockWidget*> open;
    for (const QWidget* view : tables())
        if (QDockWidget* dock = dockOf(view); !dock->isHidden() && !dock->isFloating())
            open.append(dock);
    return open;
}

void WindowViews::adapt()
{
    if (m_unshown && m_window.isVisible())
        shareOut(*m_unshown);
    const bool isLow = isInLowWindow(m_window);
    if (isLow == m_isLow || m_before)
        return;
    m_isLow = isLow;
    const bool isOpen = !openTables().isEmpty();
    if (isLow ? isOpen : m_gaveWay && !isOpen)
        foldTables();
    m_gaveWay = isLow && isOpen;
}

void WindowViews::closeEmptyTables()
{
    if (m_before || m_beforeEmpty || m_services.workspaces.results() || m_services.runs.isBusy())
        return;
    const QList<QDockWidget*> open = openTables();
    if (open.isEmpty())
        return;
    m_beforeEmpty = places();
    for (QDockWidget* dock : open)
        dock->hide();
}

void WindowViews::reopenTables()
{
    if (std::exchange(m_beforeEmpty, std::nullopt) && openTables().isEmpty())
        foldTables();
}

void WindowViews::raiseQueue()
{
    reopenTables();
    dockOf(queue)->raise();
}

void WindowViews::showRun()
{
    raiseQueue();
    if (plotInFront() == plan)
        dockOf(tradeoff)->raise();
}

void WindowViews::foldTables()
{
    leaveEnlarged();
    m_beforeEmpty.reset();
    const QList<QDockWidget*> open = openTables();
    for (QDockWidget* dock : open)
        dock->hide();
    if (!open.isEmpty())
        return;
    for (const QWidget* view : tables())
        dockOf(view)->show();
    dockOf(trials)->raise();
}

WindowViews::Places WindowViews::places() const
{
    return {m_window.saveState(), m_stage->saveState()};
}

void WindowViews::restorePlaces(const Places& places)
{
    m_unshown.reset();
    m_window.centralWidget()->show();
    m_window.restoreState(places.window);
    m_stage->restoreState(places.stage);
}

void WindowViews::enlarge(QDockWidget* dock)
{
    if (m_before)
        return leaveEnlarged();
    m_before = places();
    for (QDockWidget* other : docks())
        if (other != dock && !other->isFloating())
            other->hide();
    const bool isPlot = m_plots->docks().contains(dock);
    m_window.centralWidget()->setVisible(isPlot);
    if (isPlot)
        show(CentralPage::Plots);
}

void WindowViews::leaveEnlarged()
{
    if (const auto before = std::exchange(m_before, std::nullopt))
        restorePlaces(*before);
}

void WindowViews::enlargeFocused()
{
    const QWidget* focused = QApplication::focusWidget();
    for (QDockWidget* dock : docks())
        if (focused != nullptr && dock->isAncestorOf(focused) && dock != experiment)
            return enlarge(dock);
    for (QDockWidget* dock : m_plots->docks())
        if (!dock->visibleRegion().isEmpty())
            return enlarge(dock);
}

QWidget* WindowViews::plotInFront() const
{
    for (const QDockWidget* dock : m_plots->docks())
        if (!dock->visibleRegion().isEmpty())
            return dock->widget();
    return dockOf(tradeoff)->widget();
}

// ---- from one start to the next

QByteArray WindowViews::layout() const
{
    const Places kept = m_before.value_or(m_beforeEmpty.value_or(places()));
    QByteArray layout;
    QDataStream stream(&layout, QIODevice::WriteOnly);
    stream << kept.window << kept.stage;
    return layout;
}

void WindowViews::restoreLayout(const QByteArray& layout)
{
    Places kept;
    QDataStream stream(layout);
    stream >> kept.window >> kept.stage;
    if (stream.status() == QDataStream::Ok)
        restorePlaces(kept);
}

QVariantMap WindowViews::state() const
{
    return {{QStringLiteral("tradeoff"), tradeoff->state()}, {QStringLiteral("timeline"), timeline->state()},
        {QStringLiteral("trials"), trials->state()}, {QStringLiteral("answer"), answer->state()},
        {QStringLiteral("rehearse"), rehearse->state()}};
}

void WindowViews::restore(const QVariantMap& state)
{
    tradeoff->restore(state.value(QStringLiteral("tradeoff")).toMap());
    timeline->restore(state.value(QStringLiteral("timeline")).toMap());
    trials->restore(state.value(QStringLiteral("trials")).toMap());
    answer->restore(state.value(QStringLiteral("answer")).toMap());
    rehearse->restore(state.value(QStringLiteral("rehearse")).toMap());
}

} // namespace headroom::ui
