// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cupti.h>

namespace headroom::rehearsal::cupti {

/// The number under which CUPTI knows a function by its exported name; 0 where it does not.
CUpti_CallbackId callbackOf(const char* function, bool isDriver);
/// The name with the version that CUPTI gives it: "cudaMalloc_v3020"; null for numbers that are none.
const char* callbackName(CUpti_CallbackDomain domain, CUpti_CallbackId callback);
/// One more than the greatest number.
CUpti_CallbackId callbackCount(CUpti_CallbackDomain domain);

} // namespace headroom::rehearsal::cupti
