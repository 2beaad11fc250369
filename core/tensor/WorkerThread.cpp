// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/WorkerThread.h"

#include "core/tensor/Torch.h"

#include <utility>

namespace headroom::tensor {

WorkerThread::WorkerThread()
    : m_thread([this] { serve(); })
{
}

WorkerThread::~WorkerThread()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_isEnding = true;
    }
    m_changed.notify_all();
    m_thread.join();
}

void WorkerThread::submit(std::function<void()> work)
{
    {
        const std::scoped_lock lock(m_mutex);
        m_items.push_back(std::move(work));
    }
    m_changed.notify_all();
}

void WorkerThread::drain()
{
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_items.empty(); });
    if (m_failure)
        std::rethrow_exception(std::exchange(m_failure, nullptr));
}

void WorkerThread::serve()
{
    std::unique_lock lock(m_mutex);
    while (true) {
        m_changed.wait(lock, [this] { return m_isEnding || !m_items.empty(); });
        if (m_items.empty())
            return;
        Work& work = m_items.front(); // a deque's elements stay in place while others are appended
        lock.unlock();
        std::exception_ptr failure = attempt(work);
        work = nullptr; // captured objects are released before anyone learns that the work is done
        lock.lock();
        m_items.pop_front();
        if (failure && !m_failure)
            m_failure = std::move(failure);
        m_changed.notify_all();
    }
}

std::exception_ptr WorkerThread::attempt(const Work& work)
{
    try {
        const torch::NoGradGuard noGradients;
        work();
    } catch (...) {
        return std::current_exception();
    }
    return nullptr;
}

} // namespace headroom::tensor
