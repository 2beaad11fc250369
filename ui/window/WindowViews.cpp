// SPDX-License-Identifier: Apache-2.0
#include "ui/window/WindowViews.h"

#include "ui/answer/LiveAnswer.h"
#include "ui/experiment/ExperimentDock.h"
#include "ui/plot/TradeoffView.h"
#include "ui/queue/LogView.h"
#include "ui/queue/QueueView.h"
#include "ui/results/DetailsView.h"
#include "ui/results/ExperimentsView.h"
#include "ui/results/TrialsView.h"
#include "ui/timeline/TimelineView.h"
#include "ui/window/FirstRunPage.h"
#include "ui/window/ResultsHeading.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace headroom::ui {
namespace {

// In multiples of the average character width and of the line height.
constexpr int kSideColumns = 58;
constexpr int kBelowLines = 15;
constexpr double kBelowShare = 0.2; ///< maximum share of the window's height

const QString kPlots = QStringLiteral("plots");

// The widget that gets the focus first: the view itself, or its first visible child that accepts it.
QWidget* firstToFocus(QWidget* view)
{
    if (view->focusPolicy() & Qt::TabFocus)
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
    experiment = new ExperimentDock(services.spec, services.theme, &window);
    experiments = new ExperimentsView(services.workspaces, services.theme, &window);
    trials = new TrialsView(services.theme, services.selection, &window);
    details = new DetailsView(services.theme, services.selection, &window);
    queue = new QueueView(services.runs, services.theme, &window);
    log = new LogView(services.runs, services.theme, &window);
    adopt(experiment);
    addDock(QStringLiteral("experimentsDock"), QStringLiteral("Workspace"), experiments);
    addDock(QStringLiteral("trialsDock"), QStringLiteral("Trials"), trials);
    addDock(QStringLiteral("queueDock"), QStringLiteral("Queue"), queue);
    addDock(QStringLiteral("detailsDock"), QStringLiteral("Details"), details);
    addDock(QStringLiteral("logDock"), QStringLiteral("Log"), log);
}

void WindowViews::makeCentralWidget()
{
    auto* middle = new QWidget(&m_window);
    answer = new LiveAnswer(m_services.theme, m_services.predictor, middle);
    m_centralPages = new QStackedWidget(middle);
    firstRun = new FirstRunPage(m_centralPages);
    auto* results = new QWidget(m_centralPages);
    heading = new ResultsHeading(m_services.theme, results);
    m_plots = new QSplitter(Qt::Vertical, results);
    m_plots->setObjectName(kPlots);
    m_plots->setChildrenCollapsible(false);
    tradeoff = new TradeoffView(m_services.theme, m_services.selection, m_plots);
    timeline = new TimelineView(m_services.theme, m_services.selection, m_plots);
    m_plots->addWidget(tradeoff);
    m_plots->addWidget(timeline);
    m_plots->setStretchFactor(0, 3);
    m_plots->setStretchFactor(1, 2);
    m_centralPages->addWidget(firstRun);
    auto* below = new QVBoxLayout(results);
    below->setContentsMargins(0, 0, 0, 0);
    below->setSpacing(0);
    below->addWidget(heading);
    below->addWidget(m_plots, 1);
    m_centralPages->addWidget(results);
    auto* layout = new QVBoxLayout(middle);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(answer);
    layout->addWidget(m_centralPages, 1);
    m_window.setCentralWidget(middle);
}

QDockWidget* WindowViews::addDock(const QString& name, const QString& title, QWidget* view)
{
    auto* dock = new QDockWidget(title, &m_window);
    dock->setObjectName(name);
    dock->setWidget(view);
    adopt(dock);
    return dock;
}

// Docks are stacked as tabs, which show their names and can be dragged: a title bar would only take space. A floating
// dock has one.
void WindowViews::adopt(QDockWidget* dock)
{
    m_docks.append(dock);
    dock->setTitleBarWidget(new QWidget(dock));
    QObject::connect(dock, &QDockWidget::topLevelChanged, dock, [dock](bool floats) {
        delete dock->titleBarWidget();
        dock->setTitleBarWidget(floats ? nullptr : new QWidget(dock));
    });
}

void WindowViews::resetLayout()
{
    m_window.setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    m_window.setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    const auto place = [&](Qt::DockWidgetArea area, const QList<QWidget*>& views) {
        for (QWidget* view : views) {
            QDockWidget* dock = dockOf(view);
            dock->setFloating(false);
            m_window.addDockWidget(area, dock);
            dock->show();
            if (view != views.first())
                m_window.tabifyDockWidget(dockOf(views.first()), dock);
        }
        dockOf(views.first())->raise();
    };
    place(Qt::LeftDockWidgetArea, {experiment, experiments});
    place(Qt::BottomDockWidgetArea, {trials, queue, details, log});
    const QFontMetrics metrics = m_window.fontMetrics();
    m_window.resizeDocks({dockOf(experiment)}, {metrics.averageCharWidth() * kSideColumns}, Qt::Horizontal);
    const int below = std::min(metrics.lineSpacing() * kBelowLines, static_cast<int>(m_window.height() * kBelowShare));
    m_window.resizeDocks({dockOf(trials)}, {below}, Qt::Vertical);
    m_plots->setSizes({4500, 4500});
}

QDockWidget* WindowViews::dockOf(const QWidget* view) const
{
    for (QDockWidget* dock : m_docks)
        if (dock == view || dock->widget() == view)
            return dock;
    return nullptr;
}

void WindowViews::bringForward(QWidget* view)
{
    if (QDockWidget* dock = dockOf(view)) {
        dock->show();
        dock->raise();
    }
    firstToFocus(view)->setFocus(Qt::ShortcutFocusReason);
}

void WindowViews::show(CentralPage page)
{
    m_centralPages->setCurrentIndex(page == CentralPage::FirstSteps ? 0 : 1);
}

QVariantMap WindowViews::state() const
{
    return {{kPlots, m_plots->saveState()}, {QStringLiteral("tradeoff"), tradeoff->state()},
        {QStringLiteral("timeline"), timeline->state()}, {QStringLiteral("trials"), trials->state()},
        {QStringLiteral("card"), answer->cardChoice()}};
}

void WindowViews::restore(const QVariantMap& state)
{
    m_plots->restoreState(state.value(kPlots).toByteArray());
    tradeoff->restore(state.value(QStringLiteral("tradeoff")).toMap());
    timeline->restore(state.value(QStringLiteral("timeline")).toMap());
    trials->restore(state.value(QStringLiteral("trials")).toMap());
    answer->setCardChoice(state.value(QStringLiteral("card")).toString());
}

} // namespace headroom::ui
