// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cupti/CuptiStatus.h"

#include "profiling/collectors/cupti/OtherClients.h"

namespace headroom::collectors::cupti {
namespace {

std::string nameOf(CUptiResult result)
{
    const char* text = nullptr;
    if (cuptiGetResultString(result, &text) == CUPTI_SUCCESS && text != nullptr)
        return text;
    return "error " + std::to_string(static_cast<int>(result));
}

std::string heldBy(const std::string& holder)
{
    return "another tool uses CUPTI in this process" + (holder.empty() ? "" : " (" + holder + ")")
        + ": run without Nsight Systems, Nsight Compute, cuda-gdb, compute-sanitizer and LibTorch's profiler";
}

} // namespace

std::string explain(CUptiResult result, const std::string& holder)
{
    switch (result) {
    case CUPTI_SUCCESS:
        return {};
    case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
    case CUPTI_ERROR_MAX_LIMIT_REACHED: // the code of the same error before CUDA 13
    case CUPTI_ERROR_DISABLED:
        return heldBy(holder);
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
        return "the driver allows profiling to administrators only: load it with "
               "NVreg_RestrictProfilingToAdminUsers=0, or give the container the capability SYS_ADMIN";
    case CUPTI_ERROR_NOT_INITIALIZED:
        return "the NVIDIA driver is too old for this CUPTI";
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
        return "the virtual GPU does not allow profiling";
    default:
        return nameOf(result);
    }
}

std::string libraryProblem()
{
    std::uint32_t version = 0;
    if (cuptiGetVersion(&version) != CUPTI_SUCCESS)
        return "CUPTI does not tell its version";
    if (version < CUPTI_API_VERSION)
        return "CUPTI has the API version " + std::to_string(version) + ", older than the "
            + std::to_string(CUPTI_API_VERSION) + " of the headers: its records cannot be read";
    return {};
}

std::string processProblem()
{
    const std::string problem = libraryProblem();
    return problem.empty() ? otherClient() : problem;
}

} // namespace headroom::collectors::cupti
