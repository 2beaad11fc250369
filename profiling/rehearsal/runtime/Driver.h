// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/rehearsal/Observation.h"

#include <cuda.h>

namespace headroom::rehearsal {

/// A status of the runtime as the driver's: what both can say has the same number. Not remembered as the runtime's last
/// error.
inline CUresult driver(int status)
{
    return static_cast<CUresult>(status);
}

/// A call of the driver that profilers see: its arguments in a struct, in order.
template <typename Parameters, typename Work>
CUresult observedDriver(const char* function, const Parameters& parameters, Work work, const char* kernel = nullptr)
{
    int result = 0;
    const CallScope scope(function, true, &parameters, &result, kernel);
    result = work();
    return driver(result);
}

} // namespace headroom::rehearsal
