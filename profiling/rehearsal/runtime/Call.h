// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/rehearsal/Observation.h"

#include <driver_types.h>

namespace headroom::rehearsal {

/// The last error of this thread, which cudaGetLastError reads and clears.
cudaError_t lastError();
void clearLastError();
/// `status` as the runtime returns it; a failure becomes the thread's last error.
cudaError_t noted(int status);

/// A call of the runtime that profilers see: its arguments in a struct, in order.
template <typename Parameters, typename Work>
cudaError_t observed(const char* function, const Parameters& parameters, Work work, const char* kernel = nullptr)
{
    int result = 0;
    const CallScope scope(function, false, &parameters, &result, kernel);
    result = work();
    return noted(result);
}

} // namespace headroom::rehearsal
