// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cupti/Subscription.h"

#include "profiling/collectors/TrialClock.h"

#include "profiling/collectors/cupti/CuptiStatus.h"
#include "profiling/collectors/cupti/VirtualMemoryCalls.h"

#include <array>

namespace headroom::collectors::cupti {
namespace {

constexpr std::size_t kMostCalls = 1 << 16; // between two flushes; a large model maps some thousand chunks in all
constexpr const char* kName = "Headroom";

} // namespace

Subscription::Subscription(std::chrono::steady_clock::time_point origin)
    : m_origin(origin)
    , m_calls(kMostCalls)
{
    std::array<char, 2 * CUPTI_OLD_SUBSCRIBER_NAME_MIN_LEN> holder{};
    CUpti_SubscriberParams parameters{};
    parameters.structSize = CUpti_SubscriberParams_STRUCT_SIZE;
    parameters.subscriberName = kName;
    parameters.oldSubscriberName = holder.data();
    parameters.oldSubscriberSize = holder.size() - 1;
    const CUptiResult result = cuptiSubscribe_v2(&m_handle, &Subscription::onCall, this, &parameters);
    m_problem = explain(result, holder.data());
}

Subscription::~Subscription()
{
    if (m_problem.empty())
        cuptiUnsubscribe(m_handle);
}

std::string Subscription::observe(Calls calls)
{
    for (const CUpti_driver_api_trace_cbid call : kVirtualMemoryCalls) {
        const CUptiResult result =
            cuptiEnableCallback(static_cast<std::uint32_t>(calls), m_handle, CUPTI_CB_DOMAIN_DRIVER_API, call);
        if (result != CUPTI_SUCCESS)
            return "virtual-memory calls are not seen: " + explain(result);
    }
    return {};
}

void Subscription::take(std::vector<trace::VirtualMemoryRecord>& calls)
{
    m_calls.drain([&](const trace::VirtualMemoryRecord& call) { calls.push_back(call); });
}

// Runs on the thread of the call, inside it.
void CUPTIAPI Subscription::onCall(
    void* self, CUpti_CallbackDomain domain, CUpti_CallbackId callback, const void* callbackData)
{
    if (domain != CUPTI_CB_DOMAIN_DRIVER_API)
        return;
    auto& subscription = *static_cast<Subscription*>(self);
    auto call = virtualMemoryCall(callback, *static_cast<const CUpti_CallbackData*>(callbackData));
    if (!call)
        return;
    call->timeNs = std::chrono::nanoseconds(TrialClock::now() - subscription.m_origin).count();
    subscription.m_calls.push(*call);
}

} // namespace headroom::collectors::cupti
