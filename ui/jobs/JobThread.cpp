// SPDX-License-Identifier: Apache-2.0
#include "ui/jobs/JobThread.h"

#include <pthread.h>

#include <algorithm>
#include <exception>

namespace headroom::ui {

JobThread::JobThread(const QString& name, QObject* parent)
    : QObject(parent)
    , m_thread([this, name] { work(name); })
{
}

JobThread::~JobThread()
{
    std::deque<Task> dropped;
    {
        const std::scoped_lock lock(m_mutex);
        m_ending = true;
        dropped.swap(m_waiting);
        if (m_running)
            m_running->stop.request_stop();
    }
    m_wake.notify_all();
    m_thread.join();
}

void JobThread::setCleanup(std::function<void()> cleanup)
{
    const std::scoped_lock lock(m_mutex);
    m_cleanup = std::move(cleanup);
}

bool JobThread::isIdle() const
{
    const std::scoped_lock lock(m_mutex);
    return m_waiting.empty() && !m_running;
}

void JobThread::enqueue(const QString& topic, Work work)
{
    Task task{topic, std::move(work), {}};
    {
        const std::scoped_lock lock(m_mutex);
        if (!topic.isEmpty()) {
            std::erase_if(m_waiting, [&](const Task& waiting) { return waiting.topic == topic; });
            m_newest[topic].request_stop(); // it may be running, or its result be on the way
            m_newest[topic] = task.stop;
        }
        m_waiting.push_back(std::move(task));
    }
    m_wake.notify_all();
}

// The border at which errors of background work end and become words.
void JobThread::guarded(const std::stop_token& stop, const FailureHandler& fail, const std::function<void()>& body)
{
    try {
        body();
    } catch (const std::exception& error) {
        post(stop, [fail, message = QString::fromUtf8(error.what())] { fail(message); });
    }
}

// What was superseded while it ran, or while its result was on the way, is not delivered.
void JobThread::post(const std::stop_token& stop, std::function<void()> delivery)
{
    QMetaObject::invokeMethod(
        this,
        [stop, delivery = std::move(delivery)] {
            if (!stop.stop_requested())
                delivery();
        },
        Qt::QueuedConnection);
}

void JobThread::work(const QString& name)
{
    pthread_setname_np(pthread_self(), name.toLatin1().left(15).constData());
    std::unique_lock lock(m_mutex);
    while (true) {
        m_wake.wait(lock, [&] { return m_ending || !m_waiting.empty(); });
        if (m_ending)
            break;
        Task task = std::move(m_waiting.front());
        m_waiting.pop_front();
        m_running = Task{task.topic, {}, task.stop};
        lock.unlock();
        task.work(task.stop.get_token());
        task.work = {};
        lock.lock();
        m_running.reset();
    }
    const auto cleanup = std::move(m_cleanup);
    lock.unlock();
    if (cleanup)
        cleanup();
}

} // namespace headroom::ui
