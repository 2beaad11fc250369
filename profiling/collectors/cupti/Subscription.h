// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/collectors/EventRing.h"
#include "profiling/trace/DeviceRecords.h"

#include <cupti.h>

#include <chrono>
#include <string>

namespace headroom::collectors::cupti {

/// The one subscriber that CUPTI allows per process, held from construction to destruction; it also observes the
/// driver's virtual-memory calls.
class Subscription {
public:
    /// If another subscriber exists, problem() names it.
    explicit Subscription(std::chrono::steady_clock::time_point origin);
    ~Subscription();
    Subscription(const Subscription&) = delete;
    Subscription& operator=(const Subscription&) = delete;

    /// Why there is no subscription; empty when there is.
    const std::string& problem() const { return m_problem; }

    enum class Calls : std::uint32_t { Unseen = 0, Seen = 1 };
    /// Chooses whether virtual-memory calls are observed from now on. Returns what went wrong, or an empty text.
    std::string observe(Calls calls);

    /// Appends the calls observed so far. From one thread at a time.
    void take(std::vector<trace::VirtualMemoryRecord>& calls);
    std::int64_t lostCalls() const { return m_calls.lost(); }

private:
    static void CUPTIAPI onCall(
        void* self, CUpti_CallbackDomain domain, CUpti_CallbackId callback, const void* callbackData);

    std::chrono::steady_clock::time_point m_origin;
    CUpti_SubscriberHandle m_handle = nullptr;
    EventRing<trace::VirtualMemoryRecord> m_calls;
    std::string m_problem;
};

} // namespace headroom::collectors::cupti
