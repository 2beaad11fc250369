// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/api/profiler/CuptiProfiler.h"

#include "profiling/rehearsal/Clock.h"
#include "profiling/rehearsal/Devices.h"
#include "profiling/rehearsal/api/profiler/CuptiCallbacks.h"

#include <cmath>
#include <ctime>

namespace headroom::rehearsal::cupti {
namespace {

std::int64_t systemNs(clockid_t clock)
{
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

std::uint64_t realtimeNs()
{
    return static_cast<std::uint64_t>(systemNs(CLOCK_REALTIME));
}

} // namespace

std::map<CUpti_ExternalCorrelationKind, std::vector<std::uint64_t>>& externalIds()
{
    thread_local std::map<CUpti_ExternalCorrelationKind, std::vector<std::uint64_t>> t_ids;
    return t_ids;
}

Profiler& profiler()
{
    static auto* s_profiler = new Profiler;
    return *s_profiler;
}

bool isCallback(CUpti_CallbackDomain domain, CUpti_CallbackId callback)
{
    return domain > CUPTI_CB_DOMAIN_INVALID && domain < kDomains && callback < kMostCallbacks;
}

std::uint64_t Profiler::clientTime() const
{
    const CUpti_TimestampCallbackFunc clock = m_clock.load();
    return clock == nullptr ? realtimeNs() : clock();
}

// The host's waits cost no time here; on the one axis of calls and card they are included.
std::uint64_t Profiler::hostTime() const
{
    const double waited = static_cast<double>(nowNs() - hostNs()) * m_ticksPerNs.load();
    return clientTime() + static_cast<std::uint64_t>(static_cast<std::int64_t>(waited));
}

void Profiler::callBack(const Call& call, CUpti_ApiCallbackSite site)
{
    const CUpti_CallbackDomain domain = call.isDriver ? CUPTI_CB_DOMAIN_DRIVER_API : CUPTI_CB_DOMAIN_RUNTIME_API;
    const CUpti_CallbackId id = callbackOf(call.function, call.isDriver);
    if (m_callback == nullptr || id == 0 || !m_callbacks[domain][id])
        return;
    std::uint64_t kept = 0;
    CUpti_CallbackData data{};
    data.callbackSite = site;
    data.functionName = call.function;
    data.functionParams = call.parameters;
    data.functionReturnValue = site == CUPTI_API_EXIT ? const_cast<int*>(call.result) : nullptr;
    data.symbolName = call.kernel;
    data.contextUid = contextId(currentDevice());
    data.correlationData = &kept;
    data.correlationId = call.correlation;
    m_callback(m_callbackData, domain, id, &data);
}

void Profiler::recordCall(const Call& call)
{
    const CUpti_ActivityKind kind = call.isDriver ? CUPTI_ACTIVITY_KIND_DRIVER : CUPTI_ACTIVITY_KIND_RUNTIME;
    const CUpti_CallbackId id = callbackOf(call.function, call.isDriver);
    const bool isWished = isOn(kind) || (call.isDriver ? m_driverCalls : m_runtimeCalls)[id];
    if (id != 0 && isWished) {
        const std::uint64_t end = hostTime();
        const auto took = static_cast<std::uint64_t>(call.endNs > call.beginNs ? call.endNs - call.beginNs : 0);
        buffers.add(callRecord(call, id, {end > took ? end - took : 0, end}));
    }
    if (!isOn(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION))
        return;
    for (const auto& [externalKind, ids] : externalIds())
        if (!ids.empty()) {
            ExternalRecord record{};
            record.kind = CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION;
            record.externalKind = externalKind;
            record.externalId = ids.back();
            record.correlationId = call.correlation;
            buffers.add(record);
        }
}

void Profiler::happened(const Activity& activity)
{
    const std::uint64_t begin = cardTime(activity.beginNs);
    const double ticks = static_cast<double>(activity.endNs - activity.beginNs) * m_ticksPerNs.load();
    const Times times{begin, begin + static_cast<std::uint64_t>(ticks)};
    switch (activity.kind) {
    case Activity::Kind::Kernel:
        if (isKernelOn() && activity.launch != nullptr)
            buffers.add(kernelRecord(activity, times,
                isOn(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) ? CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL
                                                            : CUPTI_ACTIVITY_KIND_KERNEL));
        return;
    case Activity::Kind::Copy:
        if (isOn(CUPTI_ACTIVITY_KIND_MEMCPY))
            buffers.add(copyRecord(activity, times));
        return;
    case Activity::Kind::Fill:
        if (isOn(CUPTI_ACTIVITY_KIND_MEMSET))
            buffers.add(fillRecord(activity, times));
        return;
    case Activity::Kind::Wait:
        if (isOn(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION))
            buffers.add(waitRecord(activity, times));
        return;
    }
}

// A card that nobody looks at is not slowed down.
void Profiler::lookOrNot()
{
    bool isLooking = m_kinds.any() || m_runtimeCalls.any() || m_driverCalls.any();
    for (const auto& callbacks : m_callbacks)
        isLooking = isLooking || callbacks.any();
    setObserver(isLooking ? this : nullptr);
}

CUptiResult Profiler::subscribe(
    CUpti_SubscriberHandle* handle, CUpti_CallbackFunc callback, void* data, const char* name)
{
    const LockScope scope(m_lock);
    if (handle == nullptr)
        return CUPTI_ERROR_INVALID_PARAMETER;
    if (m_subscriber != nullptr)
        return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
    m_subscriber = this;
    m_callback = callback;
    m_callbackData = data;
    m_subscriberName = name == nullptr ? "" : name;
    *handle = reinterpret_cast<CUpti_SubscriberHandle>(this);
    return CUPTI_SUCCESS;
}

CUptiResult Profiler::unsubscribe(CUpti_SubscriberHandle handle)
{
    const LockScope scope(m_lock);
    if (!isSubscriber(handle))
        return CUPTI_ERROR_INVALID_PARAMETER;
    m_subscriber = nullptr;
    m_callback = nullptr;
    for (auto& callbacks : m_callbacks)
        callbacks.reset();
    lookOrNot();
    return CUPTI_SUCCESS;
}

CUptiResult Profiler::enableCallback(
    CUpti_SubscriberHandle handle, std::uint32_t enable, CUpti_CallbackDomain domain, CUpti_CallbackId callback)
{
    const LockScope scope(m_lock);
    if (!isSubscriber(handle) || !isCallback(domain, callback))
        return CUPTI_ERROR_INVALID_PARAMETER;
    m_callbacks[domain][callback] = enable != 0;
    lookOrNot();
    return CUPTI_SUCCESS;
}

CUptiResult Profiler::enableDomain(CUpti_SubscriberHandle handle, std::uint32_t enable, CUpti_CallbackDomain domain)
{
    const LockScope scope(m_lock);
    if (!isSubscriber(handle) || !isCallback(domain, 0))
        return CUPTI_ERROR_INVALID_PARAMETER;
    m_callbacks[domain].reset();
    for (CUpti_CallbackId callback = 1; callback < callbackCount(domain) && enable != 0; ++callback)
        m_callbacks[domain].set(callback);
    lookOrNot();
    return CUPTI_SUCCESS;
}

CUptiResult Profiler::enableKind(CUpti_ActivityKind kind, bool enable)
{
    const LockScope scope(m_lock);
    if (kind <= CUPTI_ACTIVITY_KIND_INVALID || kind >= CUPTI_ACTIVITY_KIND_COUNT)
        return CUPTI_ERROR_INVALID_KIND;
    m_kinds[static_cast<std::size_t>(kind)] = enable;
    lookOrNot();
    return CUPTI_SUCCESS;
}

CUptiResult Profiler::enableCall(bool isDriver, CUpti_CallbackId callback, bool enable)
{
    const LockScope scope(m_lock);
    if (callback == 0 || callback >= kMostCallbacks)
        return CUPTI_ERROR_INVALID_PARAMETER;
    (isDriver ? m_driverCalls : m_runtimeCalls)[callback] = enable;
    lookOrNot();
    return CUPTI_SUCCESS;
}

// Clients may count in other units than nanoseconds: PyTorch's counts cycles. How fast their clock runs is tried once.
void Profiler::useClock(CUpti_TimestampCallbackFunc clock)
{
    constexpr std::int64_t kTrialNs = 500'000;
    constexpr double kNearly = 0.01;
    m_clock.store(clock);
    const std::int64_t begin = systemNs(CLOCK_MONOTONIC);
    const std::uint64_t first = clientTime();
    std::int64_t now = begin;
    while (now - begin < kTrialNs)
        now = systemNs(CLOCK_MONOTONIC);
    const double rate = static_cast<double>(clientTime() - first) / static_cast<double>(now - begin);
    m_ticksPerNs.store(rate <= 0 || std::fabs(rate - 1) < kNearly ? 1 : rate);
}

std::uint64_t Profiler::cardTime(std::int64_t ns) const
{
    const double ahead = static_cast<double>(ns - nowNs()) * m_ticksPerNs.load();
    return hostTime() + static_cast<std::uint64_t>(static_cast<std::int64_t>(ahead));
}

} // namespace headroom::rehearsal::cupti
