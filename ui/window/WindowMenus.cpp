// SPDX-License-Identifier: Apache-2.0
#include "ui/window/WindowMenus.h"

#include "core/config/Installation.h"
#include "ui/answer/LiveAnswer.h"
#include "ui/compare/CompareView.h"
#include "ui/effects/EffectsView.h"
#include "ui/experiment/ExperimentDock.h"
#include "ui/look/CommandKeys.h"
#include "ui/look/ElidedLabel.h"
#include "ui/look/Symbols.h"
#include "ui/pictures/PictureDesk.h"
#include "ui/plan/PlannerView.h"
#include "ui/plot/TradeoffView.h"
#include "ui/queue/LogView.h"
#include "ui/queue/QueueView.h"
#include "ui/recordings/RecordingDesk.h"
#include "ui/recordings/WhatIfView.h"
#include "ui/results/DetailsView.h"
#include "ui/results/ExperimentsView.h"
#include "ui/results/TrialsView.h"
#include "ui/segments/SegmentsView.h"
#include "ui/timeline/TimelineView.h"
#include "ui/window/MainWindow.h"
#include "ui/window/RescueDesk.h"
#include "ui/window/SpecFiles.h"

#include <QActionGroup>
#include <QApplication>
#include <QDockWidget>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QToolBar>
#include <QUndoStack>

namespace headroom::ui {
namespace {

QString plain(QString title)
{
    return title.remove(QLatin1Char('&'));
}

void collect(const QMenu& menu, QList<QAction*>& actions)
{
    for (QAction* action : menu.actions())
        if (action->menu())
            collect(*action->menu(), actions);
        else if (!action->isSeparator())
            actions.append(action);
}

void showAbout(QWidget& window)
{
    QMessageBox::about(&window, QStringLiteral("About Headroom"),
        QStringLiteral(
            "<h3>Headroom %1</h3><p>Which combination of memory techniques fits a GPU and loses the least "
            "speed.</p><p>This program is distributed under the GNU General Public License 3, as it contains "
            "QCustomPlot; its own sources are under the Apache License 2.0.</p><p>Qt %2</p>")
            .arg(QString::fromStdString(config::version()), QLatin1String(qVersion())));
}

} // namespace

WindowMenus::WindowMenus(MainWindow& window, Services& services)
    : QObject(&window)
    , m_window(window)
    , m_services(services)
    , m_pictures(new PictureDesk(window, services.selection, [&views = window.views()] { return views.plotInFront(); },
          {window.views().timeline, window.views().compare, window.views().details}))
{
    connect(&services.workspaces, &WorkspaceService::resultsChanged, m_pictures, &PictureDesk::setResults);
    makeFileMenu();
    makeEditMenu();
    makeRunMenu();
    makeViewMenu();
    makeHelpMenu();
    makeToolbar();
    new CommandKeys(window);
    paintSymbols();
    connect(&services.theme, &Theme::changed, this, &WindowMenus::paintSymbols);
}

QList<QAction*> WindowMenus::commands() const
{
    QList<QAction*> actions;
    for (const QMenu* menu : m_menus)
        collect(*menu, actions);
    return actions;
}

QAction* WindowMenus::add(QMenu* menu, const QString& text, const QKeySequence& keys, const Act& act)
{
    auto* action = new QAction(text, &m_window);
    action->setShortcut(keys);
    action->setProperty("menuTitle", plain(menu->title()));
    connect(action, &QAction::triggered, this, [act] { act(); });
    menu->addAction(action);
    return action;
}

// Adds a view's actions, whose shortcuts have the context that the view chose. Null stands for a separator.
void WindowMenus::addAll(QMenu* menu, const QList<QAction*>& actions)
{
    for (QAction* action : actions)
        if (action) {
            action->setProperty("menuTitle", plain(menu->title()));
            menu->addAction(action);
        } else {
            menu->addSeparator();
        }
}

void WindowMenus::makeFileMenu()
{
    QMenu* menu = m_window.menuBar()->addMenu(QStringLiteral("&File"));
    m_menus.append(menu);
    add(menu, QStringLiteral("&New experiment"), QKeySequence::New, [this] { m_window.specs().makeNew(); });
    add(menu, QStringLiteral("&Open experiment…"), QKeySequence::Open, [this] { m_window.specs().choose(); });
    add(menu, QStringLiteral("Open a &model file…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O),
        [this] { m_window.specs().chooseModel(); });
    makeExampleMenu(menu);
    m_recentSpecs = menu->addMenu(QStringLiteral("&Recent experiments"));
    m_recentModels = menu->addMenu(QStringLiteral("Recent mo&dels"));
    add(menu, QStringLiteral("&Save experiment"), QKeySequence::Save, [this] { m_window.specs().save(); });
    add(menu, QStringLiteral("Save experiment &as…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S),
        [this] { m_window.specs().saveAs(); });
    menu->addSeparator();
    const ExperimentsView& experiments = *m_window.views().experiments;
    addAll(menu, {experiments.openAction(), experiments.createAction()});
    add(menu, QStringLiteral("Open a recordin&g…"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_O),
        [this] { m_window.recordings().choose(); });
    m_recentRecordings = menu->addMenu(QStringLiteral("Recent record&ings"));
    m_recentWorkspaces = menu->addMenu(QStringLiteral("Recen&t workspaces"));
    addAll(menu, {m_window.rescue().action()});
    menu->addSeparator();
    m_export = add(menu, QStringLiteral("&Export report…"), QKeySequence(Qt::CTRL | Qt::Key_E),
        [this] { m_window.exportReport(); });
    menu->addSeparator();
    add(menu, QStringLiteral("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q), [this] { m_window.close(); });
}

void WindowMenus::makeExampleMenu(QMenu* file)
{
    QMenu* menu = file->addMenu(QStringLiteral("Open e&xample"));
    const auto fill = [this, menu] {
        menu->clear();
        for (const experiments::Preset& preset : m_services.spec.presets()) {
            const QString name = QString::fromStdString(preset.name);
            QAction* action = add(menu, name, {}, [this, name] { m_window.specs().openPreset(name); });
            action->setToolTip(QString::fromStdString(preset.description));
            action->setStatusTip(QString::fromStdString(preset.title));
        }
        menu->setEnabled(!menu->isEmpty());
    };
    connect(&m_services.spec, &SpecSession::cataloguesChanged, this, fill);
    fill();
}

void WindowMenus::makeEditMenu()
{
    QMenu* menu = m_window.menuBar()->addMenu(QStringLiteral("&Edit"));
    m_menus.append(menu);
    makeUndoActions(menu);
    menu->addSeparator();
    const TrialsView& trials = *m_window.views().trials;
    addAll(menu, {trials.copyCsvAction(), trials.copyMarkdownAction(), trials.saveCsvAction()});
    CompareActions& comparing = m_window.views().compare->actions();
    trials.trialActions().putFirst({comparing.compare(), comparing.counterpart()});
    addAll(menu->addMenu(QStringLiteral("Selected &trials")), trials.trialActions().all());
    addAll(menu, {trials.onlyFrontAction()});
    makePictureActions(menu);
    add(menu, QStringLiteral("&Find in trials"), QKeySequence::Find, [this] { m_window.findInTrials(); });
    const DetailsView& details = *m_window.views().details;
    addAll(menu, {nullptr, details.copyAllAction(), details.copySpecAction()});
    menu->addSeparator();
    add(menu, QStringLiteral("&Preferences…"), QKeySequence(Qt::CTRL | Qt::Key_Comma),
        [this] { m_window.editPreferences(); });
}

// Undo and redo are the session's: typed text that is not valid is not on the undo stack, and is discarded first.
void WindowMenus::makeUndoActions(QMenu* menu)
{
    SpecSession& spec = m_services.spec;
    m_undo = add(menu, QStringLiteral("&Undo"), QKeySequence(Qt::CTRL | Qt::Key_Z), [&spec] { spec.undo(); });
    m_redo = add(menu, QStringLiteral("&Redo"), {}, [&spec] { spec.redo(); });
    m_redo->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
    const QUndoStack* stack = spec.undoStack();
    for (const auto signal : {&QUndoStack::canUndoChanged, &QUndoStack::canRedoChanged})
        connect(stack, signal, this, &WindowMenus::showUndo);
    for (const auto signal : {&QUndoStack::undoTextChanged, &QUndoStack::redoTextChanged})
        connect(stack, signal, this, &WindowMenus::showUndo);
    connect(&spec, &SpecSession::draftsChanged, this, &WindowMenus::showUndo);
    showUndo();
}

void WindowMenus::makePictureActions(QMenu* menu)
{
    menu->addSeparator();
    add(menu, QStringLiteral("Copy &picture of the view"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_I),
        [this] { m_pictures->copy(); });
    add(menu, QStringLiteral("Copy picture as S&VG"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_I),
        [this] { m_pictures->copySvg(); });
    add(menu, QStringLiteral("Save p&icture of the view…"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_S),
        [this] { m_pictures->save(); });
    menu->addSeparator();
}

void WindowMenus::showUndo()
{
    SpecSession& spec = m_services.spec;
    const QUndoStack& stack = *spec.undoStack();
    const QString typed = spec.drafts().isEmpty() ? stack.undoText() : QStringLiteral("typing");
    m_undo->setText((QStringLiteral("&Undo ") + typed).trimmed());
    m_undo->setEnabled(spec.canUndo());
    m_redo->setText((QStringLiteral("&Redo ") + stack.redoText()).trimmed());
    m_redo->setEnabled(stack.canRedo());
}

void WindowMenus::makeRunMenu()
{
    QMenu* menu = m_window.menuBar()->addMenu(QStringLiteral("&Run"));
    m_menus.append(menu);
    m_run = add(menu, QStringLiteral("&Run experiment"), QKeySequence(Qt::Key_F5), [this] { m_window.run(); });
    m_fit = add(menu, QStringLiteral("Make it &fit"), QKeySequence(Qt::CTRL | Qt::Key_M),
        [this] { m_window.views().answer->makeItFit(); });
    LiveAnswer* answer = m_window.views().answer;
    connect(answer, &LiveAnswer::answered, m_fit, [this, answer] { m_fit->setEnabled(answer->canBeMadeToFit()); });
    addAll(menu, {m_window.views().plan->searchAction()});
    menu->addSeparator();
    addAll(menu, m_window.views().queue->actions().all());
}

void WindowMenus::makeViewMenu()
{
    QMenu* menu = m_window.menuBar()->addMenu(QStringLiteral("&View"));
    m_menus.append(menu);
    WindowViews& views = m_window.views();
    const std::pair<QString, QWidget*> places[] = {{QStringLiteral("&Experiment"), views.experiment},
        {QStringLiteral("&Tradeoff"), views.tradeoff}, {QStringLiteral("Time&line"), views.timeline},
        {QStringLiteral("Tr&ials"), views.trials}, {QStringLiteral("&Queue"), views.queue},
        {QStringLiteral("&Details"), views.details}, {QStringLiteral("Lo&g"), views.log},
        {QStringLiteral("&Workspace"), views.experiments}, {QStringLiteral("&Compare"), views.compare}};
    int number = 0;
    for (const auto& [text, view] : places)
        add(menu, text, QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + number++)),
            [this, view = view] { m_window.views().bringForward(view); });
    add(menu, QStringLiteral("E&ffects"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E),
        [&views] { views.bringForward(views.effects); });
    add(menu, QStringLiteral("Seg&ments"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_M),
        [&views] { views.bringForward(views.segments); });
    add(menu, QStringLiteral("&What if"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_W),
        [&views] { views.bringForward(views.whatIf); });
    add(menu, QStringLiteral("&Plan"), QKeySequence(Qt::CTRL | Qt::Key_0),
        [&views] { views.bringForward(views.plan); });
    add(menu, QStringLiteral("Re&hearse a script"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_H),
        [&views] { views.bringForward(views.rehearse); });
    const CompareActions& comparing = views.compare->actions();
    connect(
        &comparing, &CompareActions::wanted, this, [this] { m_window.views().bringForward(m_window.views().compare); });
    views.timeline->addActions({comparing.compare(), comparing.counterpart()});
    menu->addSeparator();
    addAll(menu->addMenu(QStringLiteral("Tradeoff plot")), views.tradeoff->plot().actions().all);
    addAll(menu->addMenu(QStringLiteral("Timeline plot")), views.timeline->actions().all);
    addAll(menu->addMenu(QStringLiteral("Moment of the segments")), views.segments->actions());
    addAll(menu->addMenu(QStringLiteral("Effects plot")), views.effects->plot().actions().all);
    addAll(menu->addMenu(QStringLiteral("Plan plot")), views.plan->plot().actions().all);
    makeSchemeMenu(menu);
    QMenu* docks = menu->addMenu(QStringLiteral("&Panels"));
    for (QDockWidget* dock : views.docks()) {
        dock->toggleViewAction()->setProperty("menuTitle", QStringLiteral("Panels"));
        docks->addAction(dock->toggleViewAction());
    }
    makeArrangementMenu(menu);
    menu->addSeparator();
    add(menu, QStringLiteral("F&ull screen"), QKeySequence(Qt::Key_F11),
        [this] { m_window.setWindowState(m_window.windowState() ^ Qt::WindowFullScreen); });
}

void WindowMenus::makeArrangementMenu(QMenu* view)
{
    WindowViews& views = m_window.views();
    m_enlarge = add(view, QStringLiteral("&Maximise a view, or bring the others back"), QKeySequence(Qt::Key_F12),
        [&views] { views.enlargeFocused(); });
    m_enlarge->setIconText(QStringLiteral("Maximise"));
    m_fold = add(view, QStringLiteral("Show or &hide trials, queue, details, log"), QKeySequence(Qt::CTRL | Qt::Key_J),
        [&views] { views.foldTables(); });
    m_fold->setIconText(QStringLiteral("Tables"));
    m_fold->setCheckable(true);
    for (QWidget* table : views.tables())
        connect(views.dockOf(table)->toggleViewAction(), &QAction::toggled, m_fold,
            [this, &views] { m_fold->setChecked(views.showsTables()); });
    QMenu* menu = view->addMenu(QStringLiteral("&Arrange for"));
    int number = 0;
    for (const auto& [text, arrangement] : {std::pair(QStringLiteral("&Results (reset)"), Arrangement::Overview),
             std::pair(QStringLiteral("&Setting up"), Arrangement::SetUp),
             std::pair(QStringLiteral("&Memory over time"), Arrangement::Memory),
             std::pair(QStringLiteral("&Comparing"), Arrangement::Compare)})
        add(menu, text, QKeySequence(Qt::ALT | static_cast<Qt::Key>(Qt::Key_1 + number++)),
            [this, arrangement = arrangement] { m_window.arrange(arrangement); });
}

void WindowMenus::makeSchemeMenu(QMenu* view)
{
    QMenu* menu = view->addMenu(QStringLiteral("&Colours"));
    auto* group = new QActionGroup(this);
    for (const auto& [text, scheme] : {std::pair(QStringLiteral("As the &system"), ColourScheme::System),
             std::pair(QStringLiteral("&Light"), ColourScheme::Light),
             std::pair(QStringLiteral("&Dark"), ColourScheme::Dark)}) {
        QAction* action = add(menu, text, {}, [this, scheme = scheme] { Q_EMIT schemeChosen(scheme); });
        action->setCheckable(true);
        group->addAction(action);
        m_schemes.append(action);
    }
}

void WindowMenus::makeHelpMenu()
{
    QMenu* menu = m_window.menuBar()->addMenu(QStringLiteral("&Help"));
    m_menus.append(menu);
    add(menu, QStringLiteral("&First steps"), QKeySequence::HelpContents, [this] { m_window.showFirstSteps(); });
    add(menu, QStringLiteral("Find a &command…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P),
        [this] { m_window.findCommand(); });
    QAction* sheet = add(menu, QStringLiteral("&Keyboard shortcuts"), {}, [this] { m_window.showShortcuts(); });
    sheet->setShortcuts({QKeySequence(Qt::CTRL | Qt::Key_Slash), QKeySequence(Qt::Key_Question)});
    add(menu, QStringLiteral("&About Headroom"), {}, [this] { showAbout(m_window); });
}

void WindowMenus::makeToolbar()
{
    QToolBar* bar = m_window.addToolBar(QStringLiteral("Main toolbar"));
    bar->setObjectName(QStringLiteral("mainToolbar"));
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    bar->setIconSize(QSize(1, 1) * m_window.fontMetrics().height());
    bar->addAction(m_run);
    bar->addAction(m_window.views().queue->actions().pause());
    bar->addAction(m_window.views().queue->actions().stop());
    bar->addSeparator();
    bar->addAction(m_fit);
    bar->addAction(m_window.views().plan->searchAction());
    bar->addAction(m_export);
    ElidedLabel* task = m_window.views().task;
    task->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred); // what is not expanding has no room in a bar
    const int space = m_window.fontMetrics().averageCharWidth();
    task->setContentsMargins(2 * space, 0, space, 0);
    bar->addWidget(task);
    bar->addAction(m_fold);
    bar->addAction(m_enlarge);
}

void WindowMenus::paintSymbols()
{
    m_run->setIcon(icon(ToolSymbol::Run, m_services.theme));
    m_fit->setIcon(icon(ToolSymbol::Fit, m_services.theme));
    m_window.views().plan->searchAction()->setIcon(icon(ToolSymbol::Plan, m_services.theme));
    m_export->setIcon(icon(ToolSymbol::Report, m_services.theme));
}

void WindowMenus::fillRecent(QMenu* menu, const QStringList& files, const std::function<void(const QString&)>& open)
{
    menu->clear();
    for (const QString& file : files)
        add(menu, QFileInfo(file).fileName(), {}, [open, file] { open(file); })->setStatusTip(file);
    menu->setEnabled(!files.isEmpty());
}

void WindowMenus::showRecent(const Preferences& preferences)
{
    fillRecent(m_recentSpecs, preferences.recentSpecs, [this](const QString& file) { m_window.specs().open(file); });
    fillRecent(
        m_recentModels, preferences.recentModels, [this](const QString& file) { m_window.specs().openModel(file); });
    fillRecent(m_recentRecordings, preferences.recentRecordings,
        [this](const QString& file) { m_window.recordings().open(file); });
    fillRecent(m_recentWorkspaces, preferences.recentWorkspaces,
        [this](const QString& file) { m_window.openWorkspace(file); });
}

void WindowMenus::showScheme(ColourScheme scheme)
{
    m_schemes.at(static_cast<int>(scheme))->setChecked(true);
}

} // namespace headroom::ui
