// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/api/CuptiCallbacks.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <unordered_map>

namespace headroom::rehearsal::cupti {
namespace {

struct Callback {
    CUpti_CallbackId id;
    const char* name;
};

// Written from the headers of the version that is built against.
constexpr Callback kRuntimeCallbacks[] = {
#define HEADROOM_RUNTIME_CALLBACK(ID, NAME) {ID, #NAME},
#define HEADROOM_DRIVER_CALLBACK(ID, NAME)
#include "CuptiCallbackNames.inc"
#undef HEADROOM_RUNTIME_CALLBACK
#undef HEADROOM_DRIVER_CALLBACK
};
constexpr Callback kDriverCallbacks[] = {
#define HEADROOM_RUNTIME_CALLBACK(ID, NAME)
#define HEADROOM_DRIVER_CALLBACK(ID, NAME) {ID, #NAME},
#include "CuptiCallbackNames.inc"
#undef HEADROOM_RUNTIME_CALLBACK
#undef HEADROOM_DRIVER_CALLBACK
};

using Numbers = std::unordered_map<std::string_view, CUpti_CallbackId>;

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

template <std::size_t Size> Numbers numbersOf(const Callback (&callbacks)[Size])
{
    Numbers numbers;
    for (const Callback& callback : callbacks)
        numbers.emplace(exportedName(callback.name), callback.id);
    return numbers;
}

template <std::size_t Size> const char* nameIn(const Callback (&callbacks)[Size], CUpti_CallbackId id)
{
    for (const Callback& callback : callbacks)
        if (callback.id == id)
            return callback.name;
    return nullptr;
}

template <std::size_t Size> CUpti_CallbackId countIn(const Callback (&callbacks)[Size])
{
    CUpti_CallbackId most = 0;
    for (const Callback& callback : callbacks)
        most = std::max(most, callback.id);
    return most + 1;
}

} // namespace

CUpti_CallbackId callbackOf(const char* function, bool isDriver)
{
    static const auto* s_runtime = new Numbers(numbersOf(kRuntimeCallbacks));
    static const auto* s_driver = new Numbers(numbersOf(kDriverCallbacks));
    const Numbers& numbers = isDriver ? *s_driver : *s_runtime;
    const auto found = numbers.find(function);
    return found == numbers.end() ? 0 : found->second;
}

const char* callbackName(CUpti_CallbackDomain domain, CUpti_CallbackId callback)
{
    if (domain == CUPTI_CB_DOMAIN_RUNTIME_API)
        return nameIn(kRuntimeCallbacks, callback);
    return domain == CUPTI_CB_DOMAIN_DRIVER_API ? nameIn(kDriverCallbacks, callback) : nullptr;
}

CUpti_CallbackId callbackCount(CUpti_CallbackDomain domain)
{
    if (domain == CUPTI_CB_DOMAIN_RUNTIME_API)
        return countIn(kRuntimeCallbacks);
    return domain == CUPTI_CB_DOMAIN_DRIVER_API ? countIn(kDriverCallbacks) : 0;
}

} // namespace headroom::rehearsal::cupti
