// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <thread>

namespace headroom::collectors {

/// Calls a function at intervals, on a thread of its own, until it is destroyed. The function must not throw.
class SamplingThread {
public:
    SamplingThread(std::chrono::milliseconds interval, std::function<void()> sample);

private:
    std::jthread m_thread; ///< asked to stop and joined by its destructor
};

} // namespace headroom::collectors
