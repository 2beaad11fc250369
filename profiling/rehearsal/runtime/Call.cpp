// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/runtime/Call.h"

namespace headroom::rehearsal {

namespace {

constinit thread_local cudaError_t threadError = cudaSuccess;

} // namespace

cudaError_t lastError()
{
    return threadError;
}

void clearLastError()
{
    threadError = cudaSuccess;
}

cudaError_t noted(int status)
{
    const auto error = static_cast<cudaError_t>(status);
    if (error != cudaSuccess)
        threadError = error;
    return error;
}

} // namespace headroom::rehearsal
