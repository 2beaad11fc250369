// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/RunService.h"

#include "ui/runs/QueueText.h"

#include <QSet>

#include <algorithm>
#include <utility>

namespace headroom::ui {
namespace {

constexpr int kDeliveryMilliseconds = 100;
constexpr int kStoredMilliseconds = 1000;
constexpr int kHeartbeatMilliseconds = 1000; ///< times advance even if nothing happens

} // namespace

RunService::RunService(QObject* parent)
    : QObject(parent)
    , m_jobs(QStringLiteral("runner"))
{
    m_delivery.setSingleShot(true);
    connect(&m_delivery, &QTimer::timeout, this, &RunService::deliver);
    m_storedNotice.setSingleShot(true);
    connect(&m_storedNotice, &QTimer::timeout, this, &RunService::tellStored);
    connect(&m_heartbeat, &QTimer::timeout, this, &RunService::wake);
    m_heartbeat.start(kHeartbeatMilliseconds);
    followQueue();
}

RunService::~RunService()
{
    m_stop.request_stop();
}

// Passes the user's changes of the queue to the run that is under way.
void RunService::followQueue()
{
    connect(&m_queue, &RunQueue::trialsReordered, this, [this](int run) {
        if (m_active && m_active->id() == run)
            m_control->setOrder(m_active->orderedIds());
    });
    connect(&m_queue, &RunQueue::trialsRemoved, this, [this](int run, const std::vector<std::size_t>& trials) {
        if (m_active && m_active->id() == run)
            for (const std::size_t trial : trials)
                m_control->removeTrial(m_active->planned(trial).trialId);
    });
    connect(&m_queue, &RunQueue::retried, this, [this](int run) {
        m_batch.insert(run);
        if (!isBusy())
            m_isPaused = false;
        startNext();
    });
    for (const auto signal : {&RunQueue::removed, &RunQueue::trialsReordered, &RunQueue::retried})
        connect(&m_queue, signal, this, &RunService::changed);
    connect(&m_queue, &RunQueue::trialsRemoved, this, &RunService::changed);
    connect(&m_queue, &RunQueue::reordered, this, &RunService::changed);
}

int RunService::enqueue(RunRequest request)
{
    if (!isBusy() && !m_queue.firstWaiting())
        m_batch.clear();
    const int id = m_queue.add(std::move(request), m_times);
    m_batch.insert(id);
    if (!isBusy())
        m_isPaused = false; // adding to a stopped queue means that it should run
    startNext();
    Q_EMIT changed();
    return id;
}

void RunService::startNext()
{
    if (m_active || m_isPaused)
        return;
    if (const RunQueue::Run next = m_queue.firstWaiting())
        start(next);
}

void RunService::start(const RunQueue::Run& run)
{
    m_active = run;
    m_stop = {};
    m_control = std::make_shared<experiments::RunControl>();
    m_control->setOrder(run->orderedIds());
    const auto request = run->begin();
    m_feed = std::make_shared<RunFeed>(
        request, [this] { QMetaObject::invokeMethod(this, [this] { wake(); }, Qt::QueuedConnection); });
    log(QStringLiteral("%1 begins.").arg(run->name()));
    const RunJob job{request, m_feed, m_control, m_stop.get_token()};
    m_jobs.run(
        this,
        [job, stop = m_stop](std::stop_token ending) mutable {
            const std::stop_callback atTheEnd(ending, [&stop] { stop.request_stop(); });
            return job.carryOut();
        },
        [this](const RunEnd& end) { finish(end); },
        [this](const QString& message) { finish({.summary = std::nullopt, .failure = message}); });
    Q_EMIT m_queue.changed(run->id());
}

// Events arrive by the thousand; the window is notified ten times a second.
void RunService::wake()
{
    if (m_delivery.isActive() || !m_feed)
        return;
    const qint64 since = m_sinceDelivery.isValid() ? m_sinceDelivery.elapsed() : kDeliveryMilliseconds;
    m_delivery.start(static_cast<int>(std::max<qint64>(0, kDeliveryMilliseconds - since)));
}

void RunService::deliver()
{
    m_sinceDelivery.start();
    if (!m_feed)
        return;
    take(m_feed->take());
    Q_EMIT changed();
}

void RunService::take(const RunBatch& batch)
{
    const auto trials = m_active->apply(batch, m_times);
    if (!trials.empty())
        Q_EMIT m_queue.trialsChanged(m_active->id(), trials);
    Q_EMIT m_queue.changed(m_active->id());
    if (!batch.log.isEmpty())
        Q_EMIT logAppended(batch.log, batch.droppedLogLines);
    if (batch.isStored)
        noteStored();
}

void RunService::noteStored()
{
    m_storedWorkspace = QString::fromStdString(m_active->request().workspace.string());
    if (!m_storedNotice.isActive())
        m_storedNotice.start(kStoredMilliseconds);
}

void RunService::tellStored()
{
    m_storedNotice.stop();
    if (const QString workspace = std::exchange(m_storedWorkspace, {}); !workspace.isEmpty())
        Q_EMIT repeatStored(workspace);
}

void RunService::finish(const RunEnd& end)
{
    m_delivery.stop();
    take(m_feed->take());
    noteStored();
    const RunQueue::Run run = std::exchange(m_active, nullptr);
    m_feed.reset();
    m_control.reset();
    const bool isStopped = end.summary && end.summary->interrupted;
    const QString text = end.summary ? summaryText(*end.summary) : end.failure;
    const RunState state = isStopped ? RunState::Stopped : RunState::Finished;
    const auto changedTrials = run->end(end.summary ? state : RunState::Failed, text);
    log(text);
    if (!changedTrials.empty())
        Q_EMIT m_queue.trialsChanged(run->id(), changedTrials);
    Q_EMIT m_queue.changed(run->id());
    if (end.lost && end.lost->loss == WorkspaceLoss::Displaced)
        m_storedWorkspace.clear(); // a reader that is notified now would close the old file, which may still be open
    tellStored();
    m_isPaused = m_isPaused || (end.lost && m_queue.firstWaiting());
    startNext();
    if (end.lost)
        Q_EMIT workspaceLost(*end.lost);
    if (end.summary)
        Q_EMIT runFinished(text, exitMeaning(*end.summary));
    else
        Q_EMIT failed(text);
    Q_EMIT changed();
}

void RunService::log(const QString& text)
{
    Q_EMIT logAppended({{QDateTime::currentDateTime(), LogSource::Remark, {}, {}, text}}, 0);
}

bool RunService::isPausing() const
{
    return m_isPaused && m_active && m_active->state() == RunState::Running;
}

void RunService::pause()
{
    if (!m_active || m_isPaused)
        return;
    m_isPaused = true;
    m_control->pause();
    Q_EMIT m_queue.changed(m_active->id());
    Q_EMIT changed();
}

void RunService::resume()
{
    m_isPaused = false;
    if (m_control)
        m_control->resume();
    startNext();
    if (m_active)
        Q_EMIT m_queue.changed(m_active->id());
    Q_EMIT changed();
}

void RunService::stop()
{
    if (!m_active)
        return;
    m_isPaused = m_queue.firstWaiting() != nullptr;
    m_stop.request_stop();
    Q_EMIT changed();
}

void RunService::stopTrial()
{
    if (const auto trial = m_active ? m_active->running() : std::nullopt)
        stopTrial(m_active->id(), *trial);
}

void RunService::stopTrial(int run, std::size_t trial)
{
    if (m_active && m_active->id() == run && m_active->progress(trial).state == TrialState::Running)
        m_control->stopTrial(m_active->planned(trial).trialId);
}

void RunService::retry(const QStringList& trialIds)
{
    const QSet<QString> wanted(trialIds.begin(), trialIds.end());
    const std::vector<RunQueue::Run> runs = m_queue.runs();
    for (const RunQueue::Run& run : runs) {
        TrialIndices trials;
        for (const std::size_t trial : run->retriable())
            if (wanted.contains(QString::fromStdString(run->planned(trial).trialId)))
                trials.push_back(trial);
        m_queue.retry(run->id(), trials);
    }
}

void RunService::retryAllFailed()
{
    m_queue.retryAll();
}

OverallProgress RunService::progress() const
{
    OverallProgress overall{.secondsLeft = 0};
    for (const RunQueue::Run& run : m_queue.runs()) {
        if (!m_batch.contains(run->id()))
            continue;
        const QueuedRun::Counts counts = run->counts();
        overall.done += counts.done;
        overall.total += counts.total;
        if (run == m_active || run->state() == RunState::Waiting) {
            const auto left = run->remaining(m_times);
            overall.secondsLeft =
                left && overall.secondsLeft ? std::optional(*overall.secondsLeft + left->count()) : std::nullopt;
        }
    }
    return overall;
}

QString RunService::statusText() const
{
    return m_queue.runs().empty() ? QString() : overallText(*this);
}

} // namespace headroom::ui
