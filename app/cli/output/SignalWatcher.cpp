// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/SignalWatcher.h"

#include <csignal>
#include <pthread.h>

namespace headroom::cli {
namespace {

// A signal that is blocked and ignored would still come to sigwait.
bool isIgnored(int signal)
{
    struct sigaction now{};
    return ::sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

sigset_t watchedSignals()
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    if (!isIgnored(SIGHUP))
        sigaddset(&signals, SIGHUP);
    return signals;
}

[[noreturn]] void endBy(int signal)
{
    const sigset_t signals = watchedSignals();
    std::signal(signal, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
    std::raise(signal);
    std::abort();
}

} // namespace

SignalWatcher::SignalWatcher(std::function<void()> onFirst)
    : m_onFirst(std::move(onFirst))
{
    const sigset_t signals = watchedSignals();
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    m_thread = std::thread([this] { watch(); });
}

// The watching thread is woken by a signal that only it gets.
SignalWatcher::~SignalWatcher()
{
    m_ending = true;
    pthread_kill(m_thread.native_handle(), SIGTERM);
    m_thread.join();
    const sigset_t signals = watchedSignals();
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

void SignalWatcher::watch()
{
    const sigset_t signals = watchedSignals();
    for (int seen = 0;;) {
        int signal = 0;
        sigwait(&signals, &signal);
        if (m_ending)
            return;
        if (++seen == 1)
            m_onFirst();
        else if (signal != SIGHUP)
            endBy(signal);
    }
}

} // namespace headroom::cli
