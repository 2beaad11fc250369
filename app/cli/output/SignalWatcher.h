// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <thread>

namespace headroom::cli {

/// While it lives, SIGINT, SIGTERM and SIGHUP (the terminal was closed) no longer end the program: the first calls
/// `onFirst` (in a thread of its own), a second SIGINT or SIGTERM ends the program as the signal would have. A second
/// SIGHUP does not: terminal and shell send one each. Where SIGHUP was ignored when the program started (nohup), it
/// stays so. Create it before any other thread, so that all inherit the blocked signals.
class SignalWatcher {
public:
    explicit SignalWatcher(std::function<void()> onFirst);
    ~SignalWatcher();
    SignalWatcher(const SignalWatcher&) = delete;
    SignalWatcher& operator=(const SignalWatcher&) = delete;

private:
    void watch();

    std::function<void()> m_onFirst;
    std::atomic<bool> m_ending = false;
    std::thread m_thread;
};

} // namespace headroom::cli
