// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace headroom::tensor {

/// A thread that runs work in the order of submission, with gradients off. It has its own copy of LibTorch's
/// thread-local state: the submitter's interception, autocast or recording only applies to ops that run on the
/// submitter's thread.
class WorkerThread {
public:
    WorkerThread();
    /// Returns when all submitted work is done.
    ~WorkerThread();
    WorkerThread(const WorkerThread&) = delete;
    WorkerThread& operator=(const WorkerThread&) = delete;

    void submit(std::function<void()> work);
    /// Returns when all submitted work is done; throws, once, what the first failed work threw.
    void drain();

private:
    using Work = std::function<void()>;

    void serve();
    static std::exception_ptr attempt(const Work& work);

    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<Work> m_items; ///< the first one is running
    std::exception_ptr m_failure;
    bool m_isEnding = false;
    std::thread m_thread; ///< last: it uses the others
};

} // namespace headroom::tensor
