// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace headroom::experiments {

/// How many cores this process may use.
inline std::size_t coresOfThisProcess()
{
    return std::max(1U, std::thread::hardware_concurrency()); // glibc counts those that the process may run on
}

/// Threads that carry out jobs side by side. What comes of them is taken in the order in which they began, whichever
/// was faster; it can be looked at before.
template <typename Job, typename Answer> class OrderedPool {
public:
    /// Where jobs come from. Called with the pool's lock held, on any of the threads.
    class Source {
    public:
        virtual ~Source() = default;
        /// Whether a job may begin now.
        virtual bool hasNext() = 0;
        /// It begins.
        virtual Job next() = 0;
    };
    /// What carries out jobs on one thread. It is made there with the first one and ends with the thread: a worker
    /// process dies with the thread that started it.
    using Carrier = std::function<Answer(const Job&)>;
    using Hire = std::function<Carrier()>;
    using Look = std::function<void(const Job&, const Answer&)>;

    /// The source is borrowed.
    OrderedPool(std::size_t threads, Source& source, Hire hire)
        : m_source(source)
        , m_hire(std::move(hire))
        , m_size(threads)
    {
        for (std::size_t i = 0; i < threads; ++i)
            m_threads.emplace_back([this](const std::stop_token& end) { work(end); });
    }
    ~OrderedPool() { end(); }
    OrderedPool(const OrderedPool&) = delete;
    OrderedPool& operator=(const OrderedPool&) = delete;

    std::size_t threads() const { return m_size; }

    /// The job whose answer comes next, as soon as it has begun. Null once none runs and none may begin.
    const Job* next()
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock,
            [this] { return m_begun.contains(m_taken) || (m_running == 0 && (m_size == 0 || !m_source.hasNext())); });
        const auto found = m_begun.find(m_taken);
        return found == m_begun.end() ? nullptr : &found->second.job;
    }

    /// The answer of `next()`; waits for it. Every other answer that has come by then is shown to `look` first, each
    /// once, whatever stands before its job: on this thread, while others go on. Throws what `look`, the carrier, or
    /// the making of one, has thrown.
    Answer take(const Look& look = {})
    {
        std::unique_lock lock(m_mutex);
        Begun* unseen = nullptr;
        const auto hasCome = [&] {
            unseen = look ? firstUnseen() : nullptr;
            return unseen != nullptr || m_begun.at(m_taken).isOver();
        };
        for (m_changed.wait(lock, hasCome); unseen != nullptr; m_changed.wait(lock, hasCome)) {
            unseen->isSeen = true;
            lock.unlock();
            look(unseen->job, *unseen->answer); // stays where it is: only this thread takes
            lock.lock();
        }
        Begun begun = std::move(m_begun.extract(m_taken++).mapped());
        if (begun.error)
            std::rethrow_exception(begun.error);
        return std::move(*begun.answer);
    }

    /// For everything that the source reads.
    template <typename Change> auto change(const Change& change)
    {
        const std::scoped_lock lock(m_mutex);
        m_changed.notify_all();
        return change();
    }

    /// Waits for the jobs that run, and forgets every answer that was not taken. The source must have no more.
    void drain()
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_running == 0; });
        m_taken = m_count;
        m_begun.clear();
    }

    /// Ends the threads, when the jobs that run are over.
    void end()
    {
        for (std::jthread& thread : m_threads)
            thread.request_stop();
        m_threads.clear();
    }

private:
    struct Begun {
        Job job;
        std::optional<Answer> answer{};
        std::exception_ptr error{};
        bool isSeen = false;

        bool isOver() const { return answer || error; }
    };

    // Of those behind the next one.
    Begun* firstUnseen()
    {
        for (auto& [number, begun] : m_begun)
            if (number != m_taken && begun.answer && !begun.isSeen)
                return &begun;
        return nullptr;
    }

    void work(const std::stop_token& end)
    {
        Carrier carrier;
        std::unique_lock lock(m_mutex);
        while (m_changed.wait(lock, end, [this] { return m_source.hasNext(); })) {
            Begun& begun = m_begun.emplace(m_count++, Begun{m_source.next()}).first->second;
            ++m_running;
            m_changed.notify_all();
            lock.unlock();
            std::optional<Answer> answer;
            std::exception_ptr error;
            try {
                if (!carrier)
                    carrier = m_hire();
                answer = carrier(begun.job);
            } catch (...) {
                error = std::current_exception();
            }
            lock.lock();
            --m_running;
            begun.answer = std::move(answer);
            begun.error = error;
            m_changed.notify_all();
        }
        lock.unlock();
    }

    Source& m_source;
    Hire m_hire;
    const std::size_t m_size;
    std::mutex m_mutex; ///< guards what follows, up to the threads, and what the source reads
    std::condition_variable_any m_changed;
    std::map<std::size_t, Begun> m_begun; ///< by number, until the answer is taken
    std::size_t m_count = 0; ///< of jobs that have begun
    std::size_t m_taken = 0;
    std::size_t m_running = 0;
    std::vector<std::jthread> m_threads;
};

} // namespace headroom::experiments
