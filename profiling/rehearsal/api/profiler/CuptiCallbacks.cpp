// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/api/profiler/CuptiCallbacks.h"

#include <algorithm>
#include <cctype>
#include <span>
#include <string_view>
#include <unordered_map>

namespace headroom::rehearsal::cupti {
namespace {

using Numbers = std::unordered_map<std::string_view, CUpti_CallbackId>;
using Callbacks = std::span<const Callback>;

// "cudaMalloc" of "cudaMalloc_v3020": versions of the runtime's functions have at least four digits, so that a "_v2" of
// the function itself stays.
std::string_view exportedName(std::string_view name)
{
    constexpr std::size_t kFewestDigits = 4;
    const std::size_t place = name.rfind("_v");
    if (place == std::string_view::npos)
        return name;
    const std::string_view digits = name.substr(place + 2);
    const bool isVersion = digits.size() >= kFewestDigits
        && std::all_of(digits.begin(), digits.end(), [](unsigned char letter) { return std::isdigit(letter) != 0; });
    return isVersion ? name.substr(0, place) : name;
}

Callbacks callbacksOf(bool isDriver)
{
    return isDriver ? Callbacks(kDriverCallbacks, static_cast<std::size_t>(kDriverCallbackCount))
                    : Callbacks(kRuntimeCallbacks, static_cast<std::size_t>(kRuntimeCallbackCount));
}

Callbacks callbacksIn(CUpti_CallbackDomain domain)
{
    const bool isDriver = domain == CUPTI_CB_DOMAIN_DRIVER_API;
    return isDriver || domain == CUPTI_CB_DOMAIN_RUNTIME_API ? callbacksOf(isDriver) : Callbacks();
}

Numbers numbersOf(Callbacks callbacks)
{
    Numbers numbers;
    for (const Callback& callback : callbacks)
        numbers.emplace(exportedName(callback.name), callback.id);
    return numbers;
}

} // namespace

CUpti_CallbackId callbackOf(const char* function, bool isDriver)
{
    static const auto* s_runtime = new Numbers(numbersOf(callbacksOf(false)));
    static const auto* s_driver = new Numbers(numbersOf(callbacksOf(true)));
    const Numbers& numbers = isDriver ? *s_driver : *s_runtime;
    const auto found = numbers.find(function);
    return found == numbers.end() ? 0 : found->second;
}

const char* callbackName(CUpti_CallbackDomain domain, CUpti_CallbackId callback)
{
    for (const Callback& known : callbacksIn(domain))
        if (known.id == callback)
            return known.name;
    return nullptr;
}

CUpti_CallbackId callbackCount(CUpti_CallbackDomain domain)
{
    CUpti_CallbackId most = 0;
    for (const Callback& known : callbacksIn(domain))
        most = std::max(most, known.id);
    return most + 1;
}

} // namespace headroom::rehearsal::cupti
