// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/SamplingThread.h"

#include <condition_variable>
#include <mutex>

namespace headroom::collectors {

SamplingThread::SamplingThread(std::chrono::milliseconds interval, std::function<void()> sample)
    : m_thread([interval, sample = std::move(sample)](const std::stop_token& stop) {
        std::mutex mutex;
        std::condition_variable_any stopped;
        std::unique_lock lock(mutex);
        while (!stopped.wait_for(lock, stop, interval, [&] { return stop.stop_requested(); }))
            sample();
    })
{
}

} // namespace headroom::collectors
