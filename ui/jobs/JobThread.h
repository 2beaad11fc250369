// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QPointer>
#include <QString>

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <type_traits>
#include <utility>

namespace headroom::ui {

/// What a job that threw says; one line for people.
using FailureHandler = std::function<void(const QString& message)>;

/// A thread that does what the UI thread must not: files, SQL, waiting. Jobs run one after another; what they return is
/// handed over on the thread that made the JobThread (the UI thread), or dropped where its receiver is gone.
///
/// What a job shares with the next one (a connection, a worker) belongs to the thread: keep it in an object that jobs
/// capture and release it in `setCleanup`. Made, used and destroyed on one thread.
class JobThread : public QObject {
    Q_OBJECT

public:
    /// `name` is what debuggers show, at most 15 characters.
    explicit JobThread(const QString& name, QObject* parent = nullptr);
    /// Drops waiting jobs, requests a stop of the running one, waits for it and runs the cleanup.
    ~JobThread() override;

    /// Runs `job(std::stop_token)`; then `deliver(result)` for `receiver`, or `failed(message)` where the job threw.
    /// `deliver` takes no argument for a job that returns nothing.
    template <typename Job, typename Deliver>
    void run(QObject* receiver, Job job, Deliver deliver, FailureHandler failed)
    {
        enqueue({}, wrap(receiver, std::move(job), std::move(deliver), std::move(failed)));
    }

    /// The same, in the place of a job of the same topic that has not begun: newest wins. One that is running gets a
    /// stop request, and what it returns is dropped, as is what is on its way.
    template <typename Job, typename Deliver>
    void runNewest(const QString& topic, QObject* receiver, Job job, Deliver deliver, FailureHandler failed)
    {
        enqueue(topic, wrap(receiver, std::move(job), std::move(deliver), std::move(failed)));
    }

    /// Runs on the thread, last of all.
    void setCleanup(std::function<void()> cleanup);

    /// No job is waiting or running.
    bool isIdle() const;

private:
    struct Task {
        QString topic;
        std::function<void(std::stop_token)> work;
        std::stop_source stop;
    };
    using Work = std::function<void(std::stop_token)>;

    template <typename Job, typename Deliver>
    Work wrap(QObject* receiver, Job job, Deliver deliver, FailureHandler failed)
    {
        auto fail = [guard = QPointer<QObject>(receiver), failed = std::move(failed)](const QString& message) {
            if (guard && failed)
                failed(message);
        };
        auto give = [guard = QPointer<QObject>(receiver), deliver = std::move(deliver)](auto&&... results) mutable {
            if (guard)
                deliver(std::forward<decltype(results)>(results)...);
        };
        // Copies of std::function need what they hold to be copyable; jobs may hold what is not.
        auto held = std::make_shared<Job>(std::move(job));
        return [this, held, give = std::move(give), fail = std::move(fail)](std::stop_token stop) mutable {
            guarded(stop, fail, [&] {
                using Result = std::invoke_result_t<Job&, std::stop_token>;
                if constexpr (std::is_void_v<Result>) {
                    (*held)(stop);
                    held.reset();
                    post(stop, [give]() mutable { give(); });
                } else {
                    auto result = std::make_shared<Result>((*held)(stop));
                    held.reset();
                    post(stop, [give, result]() mutable { give(std::move(*result)); });
                }
            });
        };
    }

    void enqueue(const QString& topic, Work work);
    void guarded(const std::stop_token& stop, const FailureHandler& fail, const std::function<void()>& body);
    void post(const std::stop_token& stop, std::function<void()> delivery);
    void work(const QString& name);

    mutable std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<Task> m_waiting;
    std::optional<Task> m_running; ///< its topic and stop source only
    std::map<QString, std::stop_source> m_newest; ///< of each topic the job that was asked for last
    bool m_ending = false;
    std::function<void()> m_cleanup;
    std::thread m_thread;
};

} // namespace headroom::ui
