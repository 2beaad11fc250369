// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/rehearsal/Lock.h"
#include "profiling/rehearsal/Observation.h"
#include "profiling/rehearsal/api/profiler/CuptiBuffers.h"
#include "profiling/rehearsal/api/profiler/CuptiRecords.h"

#include <cupti.h>

#include <array>
#include <atomic>
#include <bitset>
#include <map>
#include <string>
#include <vector>

/// The profiler's interface, as far as a card that computes nothing has something to say: calls, kernels, copies,
/// fills, waits and memory. Calls and what the card does are on one axis: the client's clock, with what the host did
/// not have to wait for added.
namespace headroom::rehearsal::cupti {

constexpr std::size_t kMostKinds = 128;
constexpr std::size_t kMostCallbacks = 2048;
constexpr int kDomains = 8;

/// Ids of a client's own that it pushes around the calls of this thread, by kind.
std::map<CUpti_ExternalCorrelationKind, std::vector<std::uint64_t>>& externalIds();

/// True for numbers that callbacks can have.
bool isCallback(CUpti_CallbackDomain domain, CUpti_CallbackId callback);

class Profiler final : public Observer {
public:
    void began(const Call& call) override { callBack(call, CUPTI_API_ENTER); }

    void ended(const Call& call) override
    {
        callBack(call, CUPTI_API_EXIT);
        recordCall(call);
    }

    void happened(const Activity& activity) override;

    void changed(const MemoryChange& change) override
    {
        if (isOn(CUPTI_ACTIVITY_KIND_MEMORY2))
            buffers.add(memoryRecord(change, hostTime()));
    }

    void changed(const PoolChange& change) override
    {
        if (isOn(CUPTI_ACTIVITY_KIND_MEMORY_POOL))
            buffers.add(poolRecord(change, hostTime()));
    }

    CUptiResult subscribe(CUpti_SubscriberHandle* handle, CUpti_CallbackFunc callback, void* data, const char* name);
    CUptiResult unsubscribe(CUpti_SubscriberHandle handle);
    CUptiResult enableCallback(
        CUpti_SubscriberHandle handle, std::uint32_t enable, CUpti_CallbackDomain domain, CUpti_CallbackId callback);
    CUptiResult enableDomain(CUpti_SubscriberHandle handle, std::uint32_t enable, CUpti_CallbackDomain domain);
    bool isCallbackOn(CUpti_CallbackDomain domain, CUpti_CallbackId callback) const
    {
        return m_callbacks[domain][callback];
    }
    const std::string& subscriberName() const { return m_subscriberName; }

    CUptiResult enableKind(CUpti_ActivityKind kind, bool enable);
    CUptiResult enableCall(bool isDriver, CUpti_CallbackId callback, bool enable);
    void useClock(CUpti_TimestampCallbackFunc clock);
    /// Now on the client's clock and the card's axis: what the host did not have to wait for is added.
    std::uint64_t hostTime() const;

    Buffers buffers;

private:
    bool isOn(CUpti_ActivityKind kind) const { return m_kinds[static_cast<std::size_t>(kind)]; }
    bool isKernelOn() const { return isOn(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) || isOn(CUPTI_ACTIVITY_KIND_KERNEL); }
    bool isSubscriber(CUpti_SubscriberHandle handle) const
    {
        return handle != nullptr && handle == reinterpret_cast<CUpti_SubscriberHandle>(m_subscriber);
    }
    void callBack(const Call& call, CUpti_ApiCallbackSite site);
    void recordCall(const Call& call);
    void lookOrNot();
    std::uint64_t clientTime() const;
    std::uint64_t cardTime(std::int64_t ns) const;

    Lock m_lock;
    Profiler* m_subscriber = nullptr; ///< this, while there is one
    CUpti_CallbackFunc m_callback = nullptr;
    void* m_callbackData = nullptr;
    std::string m_subscriberName;
    std::array<std::bitset<kMostCallbacks>, kDomains> m_callbacks;
    std::bitset<kMostKinds> m_kinds;
    std::bitset<kMostCallbacks> m_runtimeCalls;
    std::bitset<kMostCallbacks> m_driverCalls;
    std::atomic<CUpti_TimestampCallbackFunc> m_clock = nullptr;
    std::atomic<std::int64_t> m_waitedNs =
        -1; ///< how far the card's axis was ahead of the host's when the clock was taken
    std::atomic<double> m_ticksPerNs = 1; ///< of the client's clock, which may count cycles
};

/// The one of the process, which looks until it ends.
Profiler& profiler();

} // namespace headroom::rehearsal::cupti
