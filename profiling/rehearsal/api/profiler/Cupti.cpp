// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/Devices.h"
#include "profiling/rehearsal/Lock.h"
#include "profiling/rehearsal/api/Exported.h"
#include "profiling/rehearsal/api/profiler/CuptiCallbacks.h"
#include "profiling/rehearsal/api/profiler/CuptiProfiler.h"
#include "profiling/rehearsal/api/profiler/CuptiRecords.h"

#include <cupti.h>

#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace headroom::rehearsal::cupti {
namespace {

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
    *time = profiler().hostTime();
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
