// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cupti.h>

namespace headroom::rehearsal::cupti {

struct Callback {
    CUpti_CallbackId id;
    const char* name; ///< with the version that CUPTI gives it
};

// Written from the headers of the version that is built against (symbols/WriteCallbackNames.cmake).
extern const Callback kRuntimeCallbacks[];
extern const int kRuntimeCallbackCount;
extern const Callback kDriverCallbacks[];
extern const int kDriverCallbackCount;

/// The number under which CUPTI knows a function by its exported name; 0 where it does not.
CUpti_CallbackId callbackOf(const char* function, bool isDriver);
/// The name with the version that CUPTI gives it: "cudaMalloc_v3020"; null for numbers that are none.
const char* callbackName(CUpti_CallbackDomain domain, CUpti_CallbackId callback);
/// One more than the greatest number.
CUpti_CallbackId callbackCount(CUpti_CallbackDomain domain);

} // namespace headroom::rehearsal::cupti
