// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/Observation.h"

#include "profiling/rehearsal/Clock.h"

#include <atomic>

namespace headroom::rehearsal {

namespace {

constinit std::atomic<Observer*> currentObserver = nullptr;
constinit std::atomic<std::uint32_t> lastCorrelation = 0;
constinit thread_local std::uint32_t threadCorrelation = 0;

std::uint32_t nextCorrelation()
{
    return lastCorrelation.fetch_add(1, std::memory_order_relaxed) + 1;
}

} // namespace

void setObserver(Observer* observer)
{
    currentObserver.store(observer, std::memory_order_release);
}

Observer* observer()
{
    return currentObserver.load(std::memory_order_acquire);
}

std::uint32_t currentCorrelation()
{
    return threadCorrelation != 0 ? threadCorrelation : nextCorrelation();
}

CallScope::CallScope(const char* function, bool isDriver, const void* parameters, const int* result, const char* kernel)
    : m_observer(observer())
{
    if (m_observer == nullptr)
        return;
    m_outer = threadCorrelation;
    threadCorrelation = nextCorrelation();
    m_call = {function, isDriver, parameters, result, threadCorrelation, nowNs(), 0, kernel};
    m_observer->began(m_call);
}

CallScope::~CallScope()
{
    if (m_observer == nullptr)
        return;
    m_call.endNs = nowNs();
    m_observer->ended(m_call);
    threadCorrelation = m_outer;
}

} // namespace headroom::rehearsal
