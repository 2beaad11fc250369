// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/Clock.h"
#include "profiling/rehearsal/Devices.h"
#include "profiling/rehearsal/Lock.h"
#include "profiling/rehearsal/Observation.h"
#include "profiling/rehearsal/api/CuptiBuffers.h"
#include "profiling/rehearsal/api/CuptiCallbacks.h"
#include "profiling/rehearsal/api/CuptiRecords.h"
#include "profiling/rehearsal/api/Exported.h"
#include "profiling/rehearsal/api/LibraryVersions.h"

#include <cupti.h>

#include <array>
#include <atomic>
#include <bitset>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <map>
#include <string>
#include <vector>

/// The profiler's interface, as far as a card that computes nothing has something to say: calls, kernels, copies,
/// fills, waits and memory. What happens on the host has the client's time; what the card does has times on its own
/// axis, which begins where the client's was when its clock was registered: the host's waits cost no time there.
namespace headroom::rehearsal::cupti {
namespace {

constexpr std::size_t kMostKinds = 128;
constexpr std::size_t kMostCallbacks = 2048;
constexpr int kDomains = 8;

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

// What the host has not waited for: the card's axis runs ahead of the system's clock by so much.
std::int64_t waitedNs()
{
    return nowNs() - systemNs(CLOCK_MONOTONIC);
}

/// Ids of a client's own that it pushes around calls, by kind.
std::map<CUpti_ExternalCorrelationKind, std::vector<std::uint64_t>>& externalIds()
{
    thread_local std::map<CUpti_ExternalCorrelationKind, std::vector<std::uint64_t>> t_ids;
    return t_ids;
}

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
    /// Now, for the client.
    std::uint64_t hostTime() const
    {
        const CUpti_TimestampCallbackFunc clock = m_clock.load();
        return clock == nullptr ? realtimeNs() : clock();
    }

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

Profiler& profiler()
{
    static auto* s_profiler = new Profiler; // looks until the process ends
    return *s_profiler;
}

bool isCallback(CUpti_CallbackDomain domain, CUpti_CallbackId callback)
{
    return domain > CUPTI_CB_DOMAIN_INVALID && domain < kDomains && callback < kMostCallbacks;
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
    if (m_waitedNs.load() < 0)
        useClock(m_clock.load());
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
    const std::uint64_t first = hostTime();
    std::int64_t now = begin;
    while (now - begin < kTrialNs)
        now = systemNs(CLOCK_MONOTONIC);
    const double rate = static_cast<double>(hostTime() - first) / static_cast<double>(now - begin);
    m_ticksPerNs.store(rate <= 0 || std::fabs(rate - 1) < kNearly ? 1 : rate);
    m_waitedNs.store(waitedNs());
}

std::uint64_t Profiler::cardTime(std::int64_t ns) const
{
    const std::int64_t waited = waitedNs() - m_waitedNs.load();
    const double ahead = static_cast<double>(ns - nowNs() + waited) * m_ticksPerNs.load();
    return hostTime() + static_cast<std::uint64_t>(static_cast<std::int64_t>(ahead));
}

struct ResultName {
    CUptiResult result;
    const char* name;
    const char* meaning;
};

constexpr ResultName kResultNames[] = {{CUPTI_SUCCESS, "CUPTI_SUCCESS", "no error"},
    {CUPTI_ERROR_INVALID_PARAMETER, "CUPTI_ERROR_INVALID_PARAMETER", "a parameter is not valid"},
    {CUPTI_ERROR_INVALID_DEVICE, "CUPTI_ERROR_INVALID_DEVICE", "there is no such device"},
    {CUPTI_ERROR_INVALID_OPERATION, "CUPTI_ERROR_INVALID_OPERATION", "the operation is not possible now"},
    {CUPTI_ERROR_NOT_INITIALIZED, "CUPTI_ERROR_NOT_INITIALIZED", "CUPTI or CUDA is not there"},
    {CUPTI_ERROR_QUEUE_EMPTY, "CUPTI_ERROR_QUEUE_EMPTY", "there is nothing in the queue"},
    {CUPTI_ERROR_INVALID_KIND, "CUPTI_ERROR_INVALID_KIND", "there is no such kind of activity"},
    {CUPTI_ERROR_NOT_SUPPORTED, "CUPTI_ERROR_NOT_SUPPORTED", "the card that is not there does not answer this"},
    {CUPTI_ERROR_MAX_LIMIT_REACHED, "CUPTI_ERROR_MAX_LIMIT_REACHED", "there are no more records"},
    {CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED, "CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED",
        "another client has subscribed"}};

const ResultName* resultName(CUptiResult result)
{
    for (const ResultName& name : kResultNames)
        if (name.result == result)
            return &name;
    return nullptr;
}

} // namespace
} // namespace headroom::rehearsal::cupti

using namespace headroom::rehearsal;
using namespace headroom::rehearsal::cupti;

HEADROOM_CARD_API CUptiResult cuptiGetVersion(std::uint32_t* version)
{
    if (version == nullptr)
        return CUPTI_ERROR_INVALID_PARAMETER;
    *version = CUPTI_API_VERSION;
    return CUPTI_SUCCESS;
}

HEADROOM_CARD_API CUptiResult cuptiGetResultString(CUptiResult result, const char** text)
{
    const ResultName* name = resultName(result);
    if (text == nullptr || name == nullptr)
        return CUPTI_ERROR_INVALID_PARAMETER;
    *text = name->name;
    return CUPTI_SUCCESS;
}

HEADROOM_CARD_API CUptiResult cuptiGetErrorMessage(CUptiResult result, const char** text)
{
    const ResultName* name = resultName(result);
    if (text == nullptr || name == nullptr)
        return CUPTI_ERROR_INVALID_PARAMETER;
    *text = name->meaning;
    return CUPTI_SUCCESS;
}

HEADROOM_CARD_API CUptiResult cuptiGetLastError()
{
    return CUPTI_SUCCESS;
}

HEADROOM_CARD_API CUptiResult cuptiSubscribe(
    CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc callback, void* data)
{
    return profiler().subscribe(subscriber, callback, data, nullptr);
}

#if CUDART_VERSION >= 13000
HEADROOM_CARD_API CUptiResult cuptiSubscribe_v2(
    CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc callback, void* data, CUpti_SubscriberParams* parameters)
{
    const char* name = parameters == nullptr ? nullptr : parameters->subscriberName;
    const std::string holder = profiler().subscriberName();
    const CUptiResult result = profiler().subscribe(subscriber, callback, data, name);
    if (result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED && parameters != nullptr
        && parameters->oldSubscriberName != nullptr && parameters->oldSubscriberSize > 0)
        std::snprintf(parameters->oldSubscriberName, parameters->oldSubscriberSize, "%s", holder.c_str());
    return result;
}
#endif

HEADROOM_CARD_API CUptiResult cuptiUnsubscribe(CUpti_SubscriberHandle subscriber)
{
    return profiler().unsubscribe(subscriber);
}

HEADROOM_CARD_API CUptiResult cuptiEnableCallback(
    std::uint32_t enable, CUpti_SubscriberHandle subscriber, CUpti_CallbackDomain domain, CUpti_CallbackId callback)
{
    return profiler().enableCallback(subscriber, enable, domain, callback);
}

HEADROOM_CARD_API CUptiResult cuptiEnableDomain(
    std::uint32_t enable, CUpti_SubscriberHandle subscriber, CUpti_CallbackDomain domain)
{
    return profiler().enableDomain(subscriber, enable, domain);
}

HEADROOM_CARD_API CUptiResult cuptiEnableAllDomains(std::uint32_t enable, CUpti_SubscriberHandle subscriber)
{
    for (int domain = CUPTI_CB_DOMAIN_INVALID + 1; domain < kDomains; ++domain)
        if (const CUptiResult result =
                profiler().enableDomain(subscriber, enable, static_cast<CUpti_CallbackDomain>(domain));
            result != CUPTI_SUCCESS)
            return result;
    return CUPTI_SUCCESS;
}

HEADROOM_CARD_API CUptiResult cuptiGetCallbackState(
    std::uint32_t* enabled, CUpti_SubscriberHandle, CUpti_CallbackDomain domain, CUpti_CallbackId callback)
{
    if (enabled == nullptr || !isCallback(domain, callback))
        return CUPTI_ERROR_INVALID_PARAMETER;
    *enabled = profiler().isCallbackOn(domain, callback) ? 1 : 0;
    return CUPTI_SUCCESS;
}

HEADROOM_CARD_API CUptiResult cuptiSupportedDomains(std::size_t* count, CUpti_DomainTable* table)
{
    static CUpti_CallbackDomain s_domains[] = {CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_CB_DOMAIN_RUNTIME_API};
    if (count == nullptr || table == nullptr)
        return CUPTI_ERROR_INVALID_PARAMETER;
    *count = std::size(s_domains);
    *table = s_domains;
    return CUPTI_SUCCESS;
}

HEADROOM_CARD_API CUptiResult cuptiGetCallbackName(
    CUpti_CallbackDomain domain, std::uint32_t callback, const char** name)
{
    const char* found = callbackName(domain, callback);
    if (name == nullptr || found == nullptr)
        return CUPTI_ERROR_INVALID_PARAMETER;
    *name = found;
    return CUPTI_SUCCESS;
}

HEADROOM_CARD_API CUptiResult cuptiActivityRegisterCallbacks(
    CUpti_BuffersCallbackRequestFunc request, CUpti_BuffersCallbackCompleteFunc complete)
{
    if (request == nullptr || complete == nullptr)
        return CUPTI_ERROR_INVALID_PARAMETER;
    profiler().buffers.use(request, complete);
    return CUPTI_SUCCESS;
}

HEADROOM_CARD_API CUptiResult cuptiActivityEnable(CUpti_ActivityKind kind)
{
    return profiler().enableKind(kind, true);
}

HEADROOM_CARD_API CUptiResult cuptiActivityDisable(CUpti_ActivityKind kind)
{
    return profiler().enableKind(kind, false);
}

HEADROOM_CARD_API CUptiResult cuptiActivityEnableContext(CUcontext, CUpti_ActivityKind kind)
{
    return profiler().enableKind(kind, true);
}

HEADROOM_CARD_API CUptiResult cuptiActivityDisableContext(CUcontext, CUpti_ActivityKind kind)
{
    return profiler().enableKind(kind, false);
}

HEADROOM_CARD_API CUptiResult cuptiActivityEnableRuntimeApi(CUpti_CallbackId callback, std::uint8_t enable)
{
    return profiler().enableCall(false, callback, enable != 0);
}

HEADROOM_CARD_API CUptiResult cuptiActivityEnableDriverApi(CUpti_CallbackId callback, std::uint8_t enable)
{
    return profiler().enableCall(true, callback, enable != 0);
}

HEADROOM_CARD_API CUptiResult cuptiActivityFlushAll(std::uint32_t flags)
{
    profiler().buffers.flush((flags & CUPTI_ACTIVITY_FLAG_FLUSH_FORCED) != 0);
    return CUPTI_SUCCESS;
}

HEADROOM_CARD_API CUptiResult cuptiActivityFlush(CUcontext, std::uint32_t, std::uint32_t flags)
{
    return cuptiActivityFlushAll(flags);
}

HEADROOM_CARD_API CUptiResult cuptiActivityFlushPeriod(std::uint32_t)
{
    return CUPTI_SUCCESS; // clients ask; nothing is flushed by the clock
}

HEADROOM_CARD_API CUptiResult cuptiActivityGetNextRecord(
    std::uint8_t* buffer, std::size_t validBytes, CUpti_Activity** record)
{
    if (buffer == nullptr || record == nullptr)
        return CUPTI_ERROR_INVALID_PARAMETER;
    std::size_t place = 0;
    if (*record != nullptr) {
        const std::size_t bytes = recordBytes((*record)->kind);
        if (bytes == 0)
            return CUPTI_ERROR_INVALID_KIND;
        place = static_cast<std::size_t>(reinterpret_cast<std::uint8_t*>(*record) - buffer) + bytes;
    }
    if (place + sizeof(CUpti_Activity) > validBytes)
        return CUPTI_ERROR_MAX_LIMIT_REACHED;
    auto* next = reinterpret_cast<CUpti_Activity*>(buffer + place);
    const std::size_t bytes = recordBytes(next->kind);
    if (bytes == 0)
        return CUPTI_ERROR_INVALID_KIND;
    if (place + bytes > validBytes)
        return CUPTI_ERROR_MAX_LIMIT_REACHED;
    *record = next;
    return CUPTI_SUCCESS;
}

HEADROOM_CARD_API CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext, std::uint32_t, std::size_t* dropped)
{
    if (dropped == nullptr)
        return CUPTI_ERROR_INVALID_PARAMETER;
    *dropped = profiler().buffers.takeDropped();
    return CUPTI_SUCCESS;
}

namespace {

/// What clients set for the real library's buffers is kept to be read back; the card's need none.
std::map<int, std::vector<char>>& activityAttributes()
{
    static auto* s_attributes = new std::map<int, std::vector<char>>;
    return *s_attributes;
}

constinit Lock activityAttributesLock;

} // namespace

HEADROOM_CARD_API CUptiResult cuptiActivitySetAttribute(
    CUpti_ActivityAttribute attribute, std::size_t* bytes, void* value)
{
    if (bytes == nullptr || value == nullptr || *bytes > 64)
        return CUPTI_ERROR_INVALID_PARAMETER;
    const LockScope scope(activityAttributesLock);
    const auto* begin = static_cast<const char*>(value);
    activityAttributes()[attribute].assign(begin, begin + *bytes);
    return CUPTI_SUCCESS;
}

HEADROOM_CARD_API CUptiResult cuptiActivityGetAttribute(
    CUpti_ActivityAttribute attribute, std::size_t* bytes, void* value)
{
    if (bytes == nullptr || value == nullptr)
        return CUPTI_ERROR_INVALID_PARAMETER;
    const LockScope scope(activityAttributesLock);
    const auto found = activityAttributes().find(attribute);
    if (found == activityAttributes().end())
        return CUPTI_ERROR_NOT_SUPPORTED;
    if (*bytes < found->second.size())
        return CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT;
    *bytes = found->second.size();
    std::memcpy(value, found->second.data(), found->second.size());
    return CUPTI_SUCCESS;
}

HEADROOM_CARD_API CUptiResult cuptiActivityRegisterTimestampCallback(CUpti_TimestampCallbackFunc clock)
{
    if (clock == nullptr)
        return CUPTI_ERROR_INVALID_PARAMETER;
    profiler().useClock(clock);
    return CUPTI_SUCCESS;
}

HEADROOM_CARD_API CUptiResult cuptiGetTimestamp(std::uint64_t* time)
{
    if (time == nullptr)
        return CUPTI_ERROR_INVALID_PARAMETER;
    *time = profiler().cardTime(nowNs()); // the host has waited for the card by then
    return CUPTI_SUCCESS;
}

HEADROOM_CARD_API CUptiResult cuptiActivityPushExternalCorrelationId(
    CUpti_ExternalCorrelationKind kind, std::uint64_t id)
{
    externalIds()[kind].push_back(id);
    return CUPTI_SUCCESS;
}

HEADROOM_CARD_API CUptiResult cuptiActivityPopExternalCorrelationId(
    CUpti_ExternalCorrelationKind kind, std::uint64_t* last)
{
    auto& ids = externalIds()[kind];
    if (ids.empty())
        return CUPTI_ERROR_QUEUE_EMPTY;
    if (last != nullptr)
        *last = ids.back();
    ids.pop_back();
    return CUPTI_SUCCESS;
}

namespace {
CUpti_ActivityThreadIdType s_threadIdType = CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM;
}

// Records have the numbers of the system, which is what clients here ask for.
HEADROOM_CARD_API CUptiResult cuptiSetThreadIdType(CUpti_ActivityThreadIdType type)
{
    s_threadIdType = type;
    return CUPTI_SUCCESS;
}

HEADROOM_CARD_API CUptiResult cuptiGetThreadIdType(CUpti_ActivityThreadIdType* type)
{
    if (type == nullptr)
        return CUPTI_ERROR_INVALID_PARAMETER;
    *type = s_threadIdType;
    return CUPTI_SUCCESS;
}

HEADROOM_CARD_API CUptiResult cuptiGetDeviceId(CUcontext, std::uint32_t* device)
{
    if (device == nullptr)
        return CUPTI_ERROR_INVALID_PARAMETER;
    *device = static_cast<std::uint32_t>(currentDevice());
    return CUPTI_SUCCESS;
}

HEADROOM_CARD_API CUptiResult cuptiGetContextId(CUcontext, std::uint32_t* context)
{
    if (context == nullptr)
        return CUPTI_ERROR_INVALID_PARAMETER;
    *context = contextId(currentDevice());
    return CUPTI_SUCCESS;
}

HEADROOM_CARD_API CUptiResult cuptiActivityEnableLatencyTimestamps(std::uint8_t)
{
    return CUPTI_SUCCESS; // nothing waits in a queue
}

HEADROOM_CARD_API CUptiResult cuptiActivityEnableCudaEventDeviceTimestamps(std::uint8_t)
{
    return CUPTI_SUCCESS;
}

HEADROOM_CARD_API CUptiResult cuptiActivityEnableAllSyncRecords(std::uint8_t)
{
    return CUPTI_SUCCESS;
}

HEADROOM_CARD_API CUptiResult cuptiFinalize()
{
    profiler().buffers.flush(true);
    return CUPTI_SUCCESS;
}
