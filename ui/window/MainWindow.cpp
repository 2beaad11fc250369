// SPDX-License-Identifier: Apache-2.0
#include "ui/window/MainWindow.h"

#include "ui/answer/LiveAnswer.h"
#include "ui/compare/CompareView.h"
#include "ui/effects/EffectsView.h"
#include "ui/experiment/ExperimentDock.h"
#include "ui/plan/PlannerView.h"
#include "ui/plot/TradeoffView.h"
#include "ui/printing/ExportDialog.h"
#include "ui/queue/LogView.h"
#include "ui/queue/QueueView.h"
#include "ui/recordings/RecordingDesk.h"
#include "ui/rehearse/RehearseView.h"
#include "ui/results/DetailsView.h"
#include "ui/results/ExperimentsView.h"
#include "ui/results/TrialsView.h"
#include "ui/start/FirstRunPage.h"
#include "ui/timeline/TimelineView.h"
#include "ui/window/CommandPalette.h"
#include "ui/window/CounterpartDesk.h"
#include "ui/window/PlanDesk.h"
#include "ui/window/PlannerDesk.h"
#include "ui/window/PreferencesDialog.h"
#include "ui/window/RehearseDesk.h"
#include "ui/window/RescueDesk.h"
#include "ui/window/ResultsHeading.h"
#include "ui/window/RunDesk.h"
#include "ui/window/ShortcutSheet.h"
#include "ui/window/SpecFiles.h"
#include "ui/window/StatusStrip.h"
#include "ui/window/TrialDesk.h"
#include "ui/window/WindowMenus.h"

#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QLineEdit>
#include <QMessageBox>
#include <QMimeData>
#include <QStatusBar>
#include <QTimer>

#include <chrono>

namespace headroom::ui {
namespace {

using namespace std::chrono_literals;
constexpr QSize kUsualSize{1440, 900};
constexpr auto kLookPeriod = 2s; ///< how often to look for changes that other programs make to the workspace

} // namespace

MainWindow::MainWindow(Services& services, const Preferences& preferences, Restore restore)
    : m_services(services)
    , m_preferences(preferences)
    , m_views(*this, services)
    , m_specs(new SpecFiles(services.spec, *this))
    , m_plans(new PlanDesk(services, m_views, this))
    , m_desk(new RunDesk(services, this))
    , m_status(new StatusStrip(services, *statusBar()))
    , m_recordings(new RecordingDesk(services.workspaces, *statusBar(), *this))
    , m_rescue(new RescueDesk(services, *this))
    , m_menus(new WindowMenus(*this, services))
{
    setObjectName(QStringLiteral("mainWindow"));
    setAcceptDrops(true);
    resize(kUsualSize);
    m_views.arrange(Arrangement::Overview);
    if (restore == Restore::Layout) {
        restoreGeometry(preferences.geometry);
        m_views.restoreLayout(preferences.layout);
        m_views.restore(preferences.views);
    }
    m_menus->showRecent(preferences);
    m_menus->showScheme(services.theme.scheme());
    link();
    showTitle();
    showResults(nullptr);
    m_views.firstRun->setFocus(); // who begins is asked what for
    m_plans->applyPlan(); // the plan may have arrived before there was a window
}

MainWindow::~MainWindow() = default;

QList<QAction*> MainWindow::commands() const
{
    return m_menus->commands();
}

Preferences MainWindow::preferences() const
{
    Preferences preferences = m_preferences;
    preferences.geometry = saveGeometry();
    preferences.layout = m_views.layout();
    preferences.views = m_views.state();
    preferences.spec = m_services.spec.path();
    return preferences;
}

void MainWindow::link()
{
    linkSpec();
    linkResults();
    linkFailures();
    connect(m_menus, &WindowMenus::schemeChosen, this, [this](ColourScheme scheme) {
        m_preferences.scheme = scheme;
        m_services.theme.setScheme(scheme);
        m_menus->showScheme(scheme);
        Q_EMIT preferencesChanged();
    });
    connect(&m_services.machine, &MachineProbe::found, this, [this](const Machine& machine) {
        m_views.firstRun->setMachine(machine.sentence);
        if (machine.gpu == Machine::Gpu::Usable)
            m_services.spec.setMachineDevices({{QStringLiteral("cuda:0"), QStringLiteral("this machine's GPU")}});
    });
    FirstRunPage* page = m_views.firstRun;
    connect(page, &FirstRunPage::openSpecWanted, m_specs, &SpecFiles::choose);
    connect(page, &FirstRunPage::openWorkspaceWanted, m_views.experiments->openAction(), &QAction::trigger);
    connect(page, &FirstRunPage::ownExperimentWanted, m_specs, &SpecFiles::chooseModel);
    connect(m_specs, &SpecFiles::modelOpened, this,
        [this](const QString& file) { rememberIn(m_preferences.recentModels, file); });
    connect(m_recordings, &RecordingDesk::opened, this,
        [this](const QString& file) { rememberIn(m_preferences.recentRecordings, file); });
    connect(m_recordings, &RecordingDesk::trialShown, this, &MainWindow::showTrial);
    connect(m_recordings, &RecordingDesk::otherDropped, this, [this](const QString& file) {
        if (!m_specs->openDropped(file))
            m_services.workspaces.open(file);
    });
    connect(page, &FirstRunPage::exampleChosen, this, &MainWindow::runExample);
}

void MainWindow::linkSpec()
{
    SpecSession& spec = m_services.spec;
    connect(&spec, &SpecSession::planChanged, this, &MainWindow::runWaitingExample);
    connect(&spec, &SpecSession::pathChanged, this, &MainWindow::showTitle);
    connect(&spec, &SpecSession::pathChanged, this, &MainWindow::rememberSpec);
    connect(&spec, &SpecSession::modifiedChanged, this, &MainWindow::showTitle);
    connect(&spec, &SpecSession::saved, this,
        [this](const QString& path) { m_status->showMessage(QStringLiteral("Saved: %1").arg(path)); });
    connect(m_desk, &RunDesk::started, this, [this](const QString& experiment) {
        m_status->showMessage(QStringLiteral("%1 is in the queue.").arg(experiment));
        m_views.show(WindowViews::CentralPage::Plots);
        m_views.showRun(); // the first result may take a while
    });
}

void MainWindow::runWaitingExample()
{
    const SpecSession& spec = m_services.spec;
    if (!m_example.isEmpty() && spec.title() == m_example && !spec.isPlanning()) {
        m_example.clear();
        run();
    }
}

// The preset is read in the background and runs once it has been read.
void MainWindow::runExample(const QString& preset)
{
    m_specs->leave([this, preset] {
        m_example = preset;
        m_services.spec.loadPreset(preset);
    });
}

void MainWindow::linkResults()
{
    WorkspaceService& workspaces = m_services.workspaces;
    connect(&workspaces, &WorkspaceService::resultsChanged, this, &MainWindow::showResults);
    connect(&workspaces, &WorkspaceService::opened, this, &MainWindow::rememberWorkspace);
    auto* look = new QTimer(this);
    connect(look, &QTimer::timeout, &workspaces, &WorkspaceService::refresh);
    look->start(kLookPeriod);
    const auto followExports = [this]<typename View>(View* view) {
        connect(view, &View::exported, this, &MainWindow::showSaved);
        connect(view, &View::exportFailed, this, &MainWindow::report);
    };
    followExports(&m_views.tradeoff->plot());
    followExports(m_views.timeline);
    followExports(m_views.compare);
    followExports(&m_views.effects->plot());
    followExports(&m_views.plan->plot());
    connect(m_views.queue, &QueueView::trialActivated, this, &MainWindow::showTrial);
    connect(m_views.queue, &QueueView::trialSelected, this, [this](const QString& trial) {
        if (const Results& shown = m_services.workspaces.results(); shown && shown->find(trial.toStdString()))
            m_services.selection.select({trial});
    });
    connect(m_views.tradeoff, &TradeoffView::activated, this, &MainWindow::showTrial);
    connect(&m_services.selection, &Selection::changed, this,
        [this] { m_views.log->setSelectedTrial(m_services.selection.current()); });
}

void MainWindow::linkFailures()
{
    connect(&m_services.spec, &SpecSession::failed, this, [this](const QString& message) {
        m_example.clear();
        report(message);
    });
    connect(&m_services.workspaces, &WorkspaceService::failed, this, &MainWindow::report);
    connect(&m_services.runs, &RunService::failed, this, &MainWindow::report);
    connect(&m_services.exporter, &ReportExporter::failed, this, &MainWindow::report);
    connect(&m_services.exporter, &ReportExporter::written, this, &MainWindow::showSaved);
    connect(m_desk, &RunDesk::refused, this, &MainWindow::report);
    const auto follow = [this]<typename Desk>(const Desk* desk) {
        connect(desk, &Desk::refused, this, &MainWindow::report);
        connect(desk, &Desk::said, m_status, &StatusStrip::showMessage);
    };
    follow(m_recordings);
    follow(new TrialDesk(m_services, m_views, m_preferences, this));
    follow(new CounterpartDesk(m_services, m_views, m_preferences, this));
    follow(new PlannerDesk(m_services, m_views, *m_specs, m_preferences, this));
    auto* rehearsals = new RehearseDesk(m_services, m_views, this);
    follow(rehearsals);
    connect(rehearsals, &RehearseDesk::trialShown, this, &MainWindow::showTrial);
    connect(m_rescue, &RescueDesk::said, m_status, &StatusStrip::showMessage);
}

void MainWindow::report(const QString& message)
{
    m_status->showFailure(message);
}

void MainWindow::showSaved(const QString& file)
{
    m_status->showMessage(QStringLiteral("Written: %1").arg(file));
}

// The user wants to look at one trial closely. Tables that are folded stay so.
void MainWindow::showTrial(const QString& trial)
{
    m_services.selection.select({trial});
    if (m_views.showsTables())
        m_views.bringForward(m_views.details);
    m_views.bringForward(m_views.timeline);
}

void MainWindow::showResults(const Results& results)
{
    const bool isEmpty = !results || results->content().trials.empty();
    // New results of the same experiment leave the page as it is.
    if (const auto experiment = isEmpty ? 0 : results->content().number; experiment != m_shownExperiment || isEmpty)
        m_views.show(isEmpty && !m_services.runs.isBusy() && !m_views.plan->asked() && !m_views.rehearse->hasAsked()
                ? WindowViews::CentralPage::FirstSteps
                : WindowViews::CentralPage::Plots); // a plan stands there without results, too
    m_shownExperiment = isEmpty ? 0 : results->content().number;
    m_views.setResults(results);
    selectFirstToLookAt(results);
    m_desk->learnDurations(results);
}

// Gives the timeline something to show, unless the user has selected something.
void MainWindow::selectFirstToLookAt(const Results& results)
{
    if (!results || results->find(m_services.selection.current().toStdString()))
        return;
    if (const report::ReportTrial* trial = results->firstToLookAt())
        m_services.selection.select({QString::fromStdString(trial->id())});
}

void MainWindow::showTitle()
{
    const QString path = m_services.spec.path();
    setWindowTitle(
        QStringLiteral("%1[*] – Headroom").arg(path.isEmpty() ? m_services.spec.title() : QFileInfo(path).fileName()));
    setWindowModified(m_services.spec.isModified());
    setWindowFilePath(path);
}

// ---- experiments and workspaces

void MainWindow::rememberSpec()
{
    if (const QString& file = m_services.spec.path(); !file.isEmpty())
        rememberIn(m_preferences.recentSpecs, file);
}

void MainWindow::rememberWorkspace(const QString& file)
{
    m_preferences.workspace = file;
    rememberIn(m_preferences.recentWorkspaces, file);
}

void MainWindow::rememberIn(QStringList& recent, const QString& file)
{
    remember(recent, file);
    m_menus->showRecent(m_preferences);
    Q_EMIT preferencesChanged();
}

// ---- commands of the menus

void MainWindow::run()
{
    if (const auto& drafts = m_services.spec.drafts(); !drafts.isEmpty()) {
        m_views.bringForward(m_views.experiment);
        m_views.experiment->showField(drafts.first().path.toStdString());
        return report(
            QStringLiteral("Nothing was run: what is typed into \"%1\" is not valid.").arg(drafts.first().label));
    }
    m_desk->run(m_preferences);
}

void MainWindow::exportReport()
{
    const Results& results = m_services.workspaces.results();
    if (!results || results->isOfSeveral())
        return report(results ? QStringLiteral("A report is about one experiment: choose one in the workspace's list.")
                              : QStringLiteral("There is nothing to report yet: run an experiment first."));
    ExportDialog dialog(*results, m_exportFolder, m_services.exporter, this);
    if (dialog.exec() != QDialog::Accepted)
        return;
    m_exportFolder = dialog.folder();
    m_services.exporter.write(dialog.request());
}

void MainWindow::editPreferences()
{
    PreferencesDialog dialog(m_preferences, this);
    if (dialog.exec() != QDialog::Accepted)
        return;
    m_preferences = dialog.preferences();
    m_services.theme.setScheme(m_preferences.scheme);
    m_menus->showScheme(m_preferences.scheme);
    Q_EMIT preferencesChanged();
}

void MainWindow::findInTrials()
{
    m_views.bringForward(m_views.trials);
    m_views.trials->filterField()->setFocus(Qt::ShortcutFocusReason);
}

void MainWindow::findCommand()
{
    CommandPalette(commands(), this).exec();
}

void MainWindow::showShortcuts()
{
    ShortcutSheet(commands(), this).exec();
}

void MainWindow::showFirstSteps()
{
    m_views.show(WindowViews::CentralPage::FirstSteps);
    m_views.firstRun->setFocus();
}

void MainWindow::arrange(Arrangement arrangement)
{
    m_views.arrange(arrangement);
    Q_EMIT preferencesChanged();
}

// ---- closing

bool MainWindow::mayStopRuns()
{
    const bool isRehearsing = m_views.rehearse->isRunning();
    if (!m_services.runs.isBusy() && !isRehearsing)
        return true;
    const auto answer = QMessageBox::question(this,
        isRehearsing ? QStringLiteral("A script is rehearsed") : QStringLiteral("An experiment is running"),
        isRehearsing
            ? QStringLiteral("Close and stop it? A rehearsal that is stopped has no answer.")
            : QStringLiteral(
                  "Close and stop it? What has finished is kept, and headroom run --resume goes on from there."),
        QMessageBox::Close | QMessageBox::Cancel, QMessageBox::Cancel);
    return answer == QMessageBox::Close;
}

// Closing may have to wait for a file: the window closes when everything has been written and answered.
void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!m_services.exporter.isIdle()) {
        event->ignore();
        report(QStringLiteral("A report is still being written; the window closes after that."));
        connect(&m_services.exporter, &ReportExporter::written, this, &QWidget::close, Qt::QueuedConnection);
        return;
    }
    if (m_mayClose) {
        Q_EMIT preferencesChanged();
        event->accept();
        return;
    }
    event->ignore();
    if (mayStopRuns() && m_rescue->mayLeave())
        m_specs->leave([this] {
            m_mayClose = true;
            QMetaObject::invokeMethod(this, &QWidget::close, Qt::QueuedConnection);
        });
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls() && event->mimeData()->urls().first().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    m_recordings->openDropped(event->mimeData()->urls().first().toLocalFile());
}

} // namespace headroom::ui
