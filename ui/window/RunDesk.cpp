// SPDX-License-Identifier: Apache-2.0
#include "ui/window/RunDesk.h"

namespace headroom::ui {
namespace {

// The mean over the shown predicted trials.
std::optional<double> secondsPerPrediction(const Results& results, const std::map<std::string, double>& durations)
{
    double seconds = 0;
    int trials = 0;
    if (results)
        for (const report::ReportTrial& trial : results->content().trials)
            if (const auto known = durations.find(trial.id()); !trial.isMeasured() && known != durations.end()) {
                seconds += known->second;
                ++trials;
            }
    return trials > 0 ? std::optional(seconds / trials) : std::nullopt;
}

} // namespace

RunDesk::RunDesk(Services& services, QObject* parent)
    : QObject(parent)
    , m_services(services)
{
    connect(&services.spec, &SpecSession::planChanged, this, [this] {
        if (m_isWanted)
            enqueue();
    });
    connect(&services.runs, &RunService::repeatStored, this, [this](const QString& workspace) {
        if (workspace == m_services.workspaces.path())
            m_services.workspaces.refresh();
    });
}

QString RunDesk::obstacle() const
{
    const auto& plan = m_services.spec.plan();
    if (!plan->problems.empty())
        return QStringLiteral("The experiment cannot run: %1")
            .arg(QString::fromStdString(plan->problems.front().message));
    if (plan->runnableTrials() == 0)
        return QStringLiteral("No trial of this experiment can run; the reasons are shown at its techniques.");
    if (m_services.workspaces.path().isEmpty())
        return QStringLiteral("There is no workspace to keep results in: choose File, New workspace.");
    return {};
}

void RunDesk::run(const Preferences& preferences)
{
    m_preferences = preferences;
    m_isWanted = true;
    if (!m_services.spec.isPlanning())
        enqueue();
}

void RunDesk::learnDurations(const Results& results)
{
    if (const auto& durations = m_services.workspaces.durations())
        m_services.spec.setDurations(
            {.secondsPerRepeat = *durations, .secondsPerSimulatedTrial = secondsPerPrediction(results, *durations)});
}

void RunDesk::enqueue()
{
    m_isWanted = false;
    if (const QString why = obstacle(); !why.isEmpty()) {
        Q_EMIT refused(why);
        return;
    }
    const auto plan = m_services.spec.plan();
    RunRequest request;
    request.spec = plan->spec;
    request.trials = plan->trials;
    request.workspace = m_services.workspaces.path().toStdString();
    // The workspace is open, so if it is missing it was deleted, and results in a new file would not be found.
    request.workspaceUse = experiments::WorkspaceUse::MustExist;
    request.tracing =
        m_preferences.tracing == TraceHabit::Record ? experiments::Tracing::On : experiments::Tracing::Off;
    if (m_preferences.timeoutSeconds)
        request.timeout = std::chrono::duration<double>(*m_preferences.timeoutSeconds);
    m_services.workspaces.showNewest();
    m_services.runs.enqueue(std::move(request));
    Q_EMIT started(QString::fromStdString(plan->spec.name));
}

} // namespace headroom::ui
