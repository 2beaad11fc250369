// SPDX-License-Identifier: Apache-2.0
#include "ui/window/TrialDesk.h"

#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "experiments/spec/SpecLoader.h"
#include "ui/compare/CompareView.h"
#include "ui/effects/EffectsView.h"
#include "ui/look/Veil.h"
#include "ui/plot/TradeoffView.h"
#include "ui/queue/QueueView.h"
#include "ui/recordings/WhatIfView.h"
#include "ui/results/DetailsView.h"
#include "ui/results/TrialsView.h"
#include "ui/segments/SegmentsView.h"
#include "ui/timeline/TimelineView.h"
#include "ui/window/ResultsHeading.h"

#include <QDockWidget>
#include <QFileInfo>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>

namespace headroom::ui {
namespace {

QString trialsText(qsizetype count)
{
    return QString::fromStdString(counted(count, "trial"));
}

// As it is written today: what a run of them plans.
RunRequest tracedRequest(const std::vector<report::ReportTrial>& trials)
{
    RunRequest request;
    request.spec = experiments::loadSpecText(report::replaySpec(trials), "the selected trials", {});
    request.trials = experiments::expand(request.spec);
    request.workspaceUse = experiments::WorkspaceUse::MustExist;
    request.tracing = experiments::Tracing::On;
    return request;
}

} // namespace

TrialDesk::TrialDesk(Services& services, WindowViews& views, const Preferences& preferences, QWidget* window)
    : QObject(window)
    , m_services(services)
    , m_views(views)
    , m_window(window)
    , m_preferences(preferences)
    , m_jobs(QStringLiteral("trials"))
{
    TrialActions& actions = views.trials->trialActions();
    connect(&actions, &TrialActions::baselineWanted, &services.workspaces, &WorkspaceService::toggleReference);
    connect(&actions, &TrialActions::formWanted, this, &TrialDesk::putIntoForm);
    connect(&actions, &TrialActions::traceWanted, this, &TrialDesk::runWithTrace);
    connect(&actions, &TrialActions::deletionWanted, this, &TrialDesk::deleteAfterQuestion);
    connect(&services.workspaces, &WorkspaceService::trialsDeleted, this,
        [this](qint64 trials) { Q_EMIT said(QStringLiteral("Deleted: %1.").arg(trialsText(trials))); });
    connect(views.trials, &TrialsView::saved, this,
        [this](const QString& file) { Q_EMIT said(QStringLiteral("Written: %1").arg(file)); });
    connect(views.trials, &TrialsView::failed, this, &TrialDesk::refused);
    // The same keys work in the tradeoff, whose marks are selected as rows are.
    for (QAction* action : actions.all())
        if (action != nullptr)
            views.tradeoff->addAction(action);
    dimWhatIsOfAnother();
}

TrialDesk::~TrialDesk() = default;

std::vector<report::ReportTrial> TrialDesk::found(const QStringList& trials) const
{
    std::vector<report::ReportTrial> all;
    for (const QString& trial : trials)
        if (const Results& results = m_services.workspaces.results())
            if (const report::ReportTrial* one = results->find(trial.toStdString()))
                all.push_back(*one);
    return all;
}

// So that nobody takes it for results of what has begun on the left. What was just opened is to be looked at.
void TrialDesk::dimWhatIsOfAnother()
{
    const ResultsHeading* heading = m_views.heading;
    for (QWidget* view : std::initializer_list<QWidget*>{m_views.tradeoff, m_views.timeline, m_views.segments,
             m_views.whatIf, m_views.compare, m_views.effects, m_views.trials->table(), m_views.details}) {
        auto* veil = new Veil(m_services.theme, *view);
        connect(heading, &ResultsHeading::refreshed, veil, [heading, veil] { veil->setDrawn(heading->isOutdated()); });
    }
}

// One undo step: the text before comes back whole.
void TrialDesk::putIntoForm(const QString& trial)
{
    const auto trials = found({trial});
    if (trials.empty())
        return;
    try {
        m_services.spec.setText(QString::fromStdString(report::replaySpec(trials.front())), EditKind::Choice);
    } catch (const Error& error) {
        Q_EMIT refused(
            QStringLiteral("This trial cannot be put into the form: %1").arg(QString::fromStdString(error.problem())));
        return;
    }
    Q_EMIT said(QStringLiteral("The form now has %1; undo (Ctrl+Z) brings back what it had.")
            .arg(QString::fromStdString(trials.front().label())));
}

void TrialDesk::runWithTrace(const QStringList& trials)
{
    const auto chosen = found(trials);
    if (chosen.empty())
        return;
    m_jobs.run(
        this, [chosen](const std::stop_token&) { return tracedRequest(chosen); },
        [this](RunRequest request) {
            request.workspace = m_services.workspaces.path().toStdString();
            if (m_preferences.timeoutSeconds)
                request.timeout = std::chrono::duration<double>(*m_preferences.timeoutSeconds);
            const QString name = QString::fromStdString(request.spec.name);
            m_services.workspaces.showNewest();
            m_services.runs.enqueue(std::move(request));
            m_views.show(WindowViews::CentralPage::Plots);
            m_views.dockOf(m_views.queue)->raise(); // the first result may take a while
            Q_EMIT said(QStringLiteral("%1 is in the queue, with traces.").arg(name));
        },
        [this](const QString& message) {
            Q_EMIT refused(QStringLiteral("The trials cannot run again: %1").arg(message));
        });
}

void TrialDesk::deleteAfterQuestion(const QStringList& trials)
{
    const auto chosen = found(trials);
    if (chosen.empty())
        return;
    QMessageBox question(QMessageBox::Warning, QStringLiteral("Delete trials"),
        QStringLiteral("Delete %1 from the workspace?")
            .arg(chosen.size() == 1 ? QString::fromStdString(chosen.front().label())
                                    : trialsText(static_cast<qsizetype>(chosen.size()))),
        QMessageBox::Cancel, m_window);
    question.setObjectName(QStringLiteral("deleteTrialsQuestion"));
    question.setInformativeText(QStringLiteral("Results, samples and traces are taken out of %1 for good.")
            .arg(QFileInfo(m_services.workspaces.path()).fileName()));
    const QPushButton* remove = question.addButton(QStringLiteral("Delete"), QMessageBox::DestructiveRole);
    question.setDefaultButton(QMessageBox::Cancel);
    question.exec();
    if (question.clickedButton() == remove)
        m_services.workspaces.deleteTrials(trials);
}

} // namespace headroom::ui
