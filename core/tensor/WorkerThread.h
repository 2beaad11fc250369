// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace headroom::tensor {

/// A thread that does work in the order of submission, with gradients off. Of LibTorch's thread-local state it has its
/// own: ops are intercepted, cast or recorded for whoever submitted them only where they run on that thread.
class WorkerThread {
public:
    WorkerThread();
    /// Ends when all that was submitted is done.
    ~WorkerThread();
    WorkerThread(const WorkerThread&) = delete;
    WorkerThread& operator=(const WorkerThread&) = delete;

    void submit(std::function<void()> work);
    /// Comes back when all that was submitted is done; throws what the first work that failed threw, once.
    void drain();

private:
    using Work = std::function<void()>;

    void serve();
    static std::exception_ptr attempt(const Work& work);

    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<Work> m_items; ///< the first one is being done
    std::exception_ptr m_failure;
    bool m_isEnding = false;
    std::thread m_thread; ///< last: it uses the others
};

} // namespace headroom::tensor
