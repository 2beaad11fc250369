// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <thread>

namespace headroom::collectors {

/// Calls a function at intervals on its own thread until it is destroyed. The function must not throw.
class SamplingThread {
public:
    SamplingThread(std::chrono::milliseconds interval, std::function<void()> sample);

private:
    std::jthread m_thread; ///< its destructor requests the stop and joins
};

} // namespace headroom::collectors
