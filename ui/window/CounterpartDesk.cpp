// SPDX-License-Identifier: Apache-2.0
#include "ui/window/CounterpartDesk.h"

#include "core/base/Error.h"
#include "experiments/archive/StoredExperiment.h"
#include "experiments/spec/SpecLoader.h"
#include "ui/compare/CompareView.h"
#include "ui/queue/QueueView.h"
#include "ui/results/TrialsView.h"
#include "ui/timeline/TimelineView.h"

#include <QDockWidget>

#include <algorithm>

namespace headroom::ui {
namespace {

constexpr const char* kProcessorProfile = "cpu"; ///< of the simulated processor

// Where the other half of "measured beside predicted" runs. Which profile a real GPU has, its name does not say.
std::string counterpartDevice(const config::DeviceSpec& device, Machine::Gpu gpu)
{
    if (device.kind == config::DeviceKind::Cpu)
        return "sim:cpu";
    if (device.isSimulated() && device.profile == kProcessorProfile)
        return "cpu";
    return device.isSimulated() && gpu == Machine::Gpu::Usable ? "cuda:0" : std::string();
}

QString whyNoneCanRun(const config::DeviceSpec& device)
{
    const QString name = QString::fromStdString(device.name());
    if (device.isSimulated())
        return QStringLiteral("This machine has no GPU to measure what is predicted for %1: run the experiment on one "
                              "that has, and open its workspace.")
            .arg(name);
    return QStringLiteral("Which profile %1 has is not known: choose one as device, such as sim:rtx4090, and run the "
                          "experiment.")
        .arg(name);
}

bool isOther(const store::TrialRow& row, const report::ReportTrial& trial)
{
    if (row.configId != trial.result.configId || row.predicted == trial.result.isPredicted)
        return false;
    return arePaired(config::parseDevice(row.device, "workspace"), trial.planned.device);
}

bool hasCompleted(store::Workspace& workspace, const store::TrialRow& row)
{
    const auto repeats = workspace.repeats(row.id);
    return std::ranges::any_of(repeats, [](const auto& repeat) { return repeat.outcome == Outcome::Completed; });
}

// The newest other experiment that has the counterpart, completed.
std::optional<qint64> experimentWithCounterpart(const QString& file, const report::ReportTrial& trial, qint64 own)
{
    store::Workspace workspace = experiments::openForReading(file.toStdString());
    for (const store::ExperimentRow& experiment : workspace.experiments())
        for (const store::TrialRow& row : workspace.trials(experiment.id))
            if (experiment.id != own && isOther(row, trial) && hasCompleted(workspace, row))
                return experiment.id;
    return std::nullopt;
}

RunRequest requestOn(report::ReportTrial trial, const std::string& device)
{
    trial.planned.device = config::parseDevice(device, "counterpart");
    RunRequest request;
    request.spec = experiments::loadSpecText(report::replaySpec(trial), "the selected trial", {});
    request.trials = experiments::expand(request.spec);
    request.workspaceUse = experiments::WorkspaceUse::MustExist;
    request.tracing = experiments::Tracing::On;
    return request;
}

} // namespace

CounterpartDesk::CounterpartDesk(
    Services& services, WindowViews& views, const Preferences& preferences, QObject* parent)
    : QObject(parent)
    , m_services(services)
    , m_views(views)
    , m_preferences(preferences)
    , m_jobs(QStringLiteral("counterpart"))
{
    connect(&views.compare->actions(), &CompareActions::counterpartMissing, this, &CounterpartDesk::look);
    connect(&services.runs, &RunService::changed, this, &CounterpartDesk::followRun);
    connect(&services.workspaces, &WorkspaceService::experimentsChanged, this, &CounterpartDesk::takeExperiments);
    connect(&services.workspaces, &WorkspaceService::resultsChanged, this, &CounterpartDesk::takeResults);
}

CounterpartDesk::~CounterpartDesk() = default;

void CounterpartDesk::look(const QString& id)
{
    const Results results = m_services.workspaces.results();
    const report::ReportTrial* found = results ? results->find(id.toStdString()) : nullptr;
    if (found == nullptr)
        return;
    const qint64 own = results->experimentOf(*found);
    m_waiting = Waiting{own, ResultSet::storedId(*found)};
    m_jobs.run(
        this,
        [file = m_services.workspaces.path(), trial = *found, own](
            const std::stop_token&) { return experimentWithCounterpart(file, trial, own); },
        [this, trial = *found](const std::optional<qint64>& experiment) { take(trial, experiment); },
        [this](const QString& message) { Q_EMIT refused(message); });
}

void CounterpartDesk::take(const report::ReportTrial& trial, const std::optional<qint64>& experiment)
{
    if (experiment)
        return showTogether(*experiment);
    run(trial);
}

void CounterpartDesk::run(const report::ReportTrial& trial)
{
    const std::string device = counterpartDevice(trial.planned.device, m_services.machine.machine().gpu);
    if (device.empty()) {
        m_waiting.reset();
        Q_EMIT refused(whyNoneCanRun(trial.planned.device));
        return;
    }
    m_jobs.run(
        this, [trial, device](const std::stop_token&) { return requestOn(trial, device); },
        [this](const RunRequest& request) { enqueue(request); },
        [this](const QString& message) {
            Q_EMIT refused(QStringLiteral("The counterpart of this trial cannot run: %1").arg(message));
        });
}

void CounterpartDesk::enqueue(RunRequest request)
{
    if (!m_waiting)
        return;
    request.workspace = m_services.workspaces.path().toStdString();
    if (m_preferences.timeoutSeconds)
        request.timeout = std::chrono::duration<double>(*m_preferences.timeoutSeconds);
    const QString device = QString::fromStdString(request.trials.front().trial.device.name());
    m_waiting->run = m_services.runs.enqueue(std::move(request));
    m_views.dockOf(m_views.queue)->raise();
    Q_EMIT said(
        QStringLiteral("No trial of this configuration is known on %1: it runs now, and is compared when it has "
                       "ended.")
            .arg(device));
}

void CounterpartDesk::followRun()
{
    if (!m_waiting || m_waiting->run == 0)
        return;
    const RunQueue::Run run = m_services.runs.queue().find(m_waiting->run);
    const bool isUnderWay = run
        && (run->state() == RunState::Waiting || run->state() == RunState::Running || run->state() == RunState::Paused);
    if (isUnderWay)
        return;
    if (!run || run->state() != RunState::Finished)
        m_waiting.reset();
    else
        m_services.workspaces.refresh();
    takeExperiments();
}

// The run's experiment is the newest one when it has ended, as one runs after the other.
void CounterpartDesk::takeExperiments()
{
    if (!m_waiting || m_waiting->run == 0 || m_waiting->partner != 0)
        return;
    const RunQueue::Run run = m_services.runs.queue().find(m_waiting->run);
    const Experiments& all = m_services.workspaces.experiments();
    if (run && run->state() == RunState::Finished && all && !all->empty() && all->front().id > m_waiting->experiment)
        showTogether(all->front().id);
}

void CounterpartDesk::showTogether(qint64 partner)
{
    m_waiting->partner = partner;
    m_services.workspaces.showExperiments({m_waiting->experiment, partner});
}

void CounterpartDesk::takeResults(const Results& results)
{
    if (!m_waiting || m_waiting->partner == 0 || !results || !results->isOfSeveral())
        return;
    const auto& trials = results->content().trials;
    const auto own = std::ranges::find_if(trials, [&](const report::ReportTrial& trial) {
        return results->experimentOf(trial) == m_waiting->experiment
            && ResultSet::storedId(trial) == m_waiting->storedId;
    });
    m_waiting.reset();
    if (own == trials.end())
        return;
    if (counterpartOf(*own, *results) == nullptr) {
        Q_EMIT refused(QStringLiteral("The counterpart of this trial did not complete; the table says why."));
        return;
    }
    m_services.selection.select({QString::fromStdString(own->id())});
    // All views have the results when this signal has reached them.
    QMetaObject::invokeMethod(m_views.compare->actions().counterpart(), &QAction::trigger, Qt::QueuedConnection);
}

} // namespace headroom::ui
