// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/api/dnn/Cudnn.h"

#include "profiling/rehearsal/api/Exported.h"
#include "profiling/rehearsal/api/LibraryVersions.h"

#include <cuda_runtime_api.h>
#include <library_types.h>

#include <algorithm>
#include <cstring>

namespace headroom::rehearsal::dnn {
namespace {

constexpr int kFirstWithNewStatus = 9;

struct StatusNumbers {
    Problem problem;
    int before9;
    int since9;
    const char* name;
};

constexpr StatusNumbers kStatusNumbers[] = {{Problem::None, 0, 0, "CUDNN_STATUS_SUCCESS"},
    {Problem::NotInitialised, 1, 1001, "CUDNN_STATUS_NOT_INITIALIZED"},
    {Problem::BadParameter, 3, 2000, "CUDNN_STATUS_BAD_PARAM"},
    {Problem::NotFinal, 3, 2004, "CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED"},
    {Problem::NotSupported, 9, 3000, "CUDNN_STATUS_NOT_SUPPORTED"},
    {Problem::Internal, 4, 4000, "CUDNN_STATUS_INTERNAL_ERROR"},
    {Problem::ExecutionFailed, 8, 5000, "CUDNN_STATUS_EXECUTION_FAILED"}};

bool isSince9()
{
    static const bool s_isSince9 = versionOf(Library::Cudnn).major >= kFirstWithNewStatus;
    return s_isSince9;
}

} // namespace

int status(Problem problem)
{
    for (const StatusNumbers& numbers : kStatusNumbers)
        if (numbers.problem == problem)
            return isSince9() ? numbers.since9 : numbers.before9;
    return -1;
}

std::size_t elementBytes(int dataType)
{
    switch (dataType) {
    case Double:
    case Int64:
        return 8;
    case Float:
    case Int32:
        return 4;
    case Half:
    case Brain:
        return 2;
    case Int8:
    case UInt8:
    case Boolean:
    case E4M3:
    case E5M2:
        return 1;
    default:
        return 0;
    }
}

int cudaTypeOf(int dataType)
{
    switch (dataType) {
    case Float:
        return CUDA_R_32F;
    case Double:
        return CUDA_R_64F;
    case Half:
        return CUDA_R_16F;
    case Int8:
        return CUDA_R_8I;
    case Int32:
        return CUDA_R_32I;
    case UInt8:
    case Boolean:
        return CUDA_R_8U;
    case Brain:
        return CUDA_R_16BF;
    case Int64:
        return CUDA_R_64I;
    case E4M3:
        return CUDA_R_8F_E4M3;
    case E5M2:
        return CUDA_R_8F_E5M2;
    default:
        return -1;
    }
}

int launchOn(void* handle, const char* name)
{
    const Handle* own = handleOf(handle);
    if (own == nullptr)
        return status(Problem::NotInitialised);
    return status(launchNamed(name, own->stream) == 0 ? Problem::None : Problem::ExecutionFailed);
}

} // namespace headroom::rehearsal::dnn

using namespace headroom::rehearsal;
using namespace headroom::rehearsal::dnn;

/// What the build writes for functions that only compute on the device (symbols/symbols.py).
extern "C" int headroom_launch_cudnn(void* handle, const char* name)
{
    return launchOn(handle, name);
}

HEADROOM_CARD_API std::size_t cudnnGetVersion()
{
    const LibraryVersion version = versionOf(Library::Cudnn);
    return static_cast<std::size_t>(version.number(version.major >= 9 ? 10000 : 1000));
}

HEADROOM_CARD_API std::size_t cudnnGetMaxDeviceVersion()
{
    return 1210; // the newest capability that cuDNN 9 knows
}

HEADROOM_CARD_API std::size_t cudnnGetCudartVersion()
{
    return CUDART_VERSION;
}

HEADROOM_CARD_API int cudnnGetProperty(int property, int* value)
{
    return dnn::status(readProperty(Library::Cudnn, property, value) ? Problem::None : Problem::BadParameter);
}

HEADROOM_CARD_API const char* cudnnGetErrorString(int number)
{
    for (const StatusNumbers& numbers : kStatusNumbers)
        if (number == (isSince9() ? numbers.since9 : numbers.before9))
            return numbers.name;
    return "CUDNN_STATUS_UNKNOWN";
}

// The last error of a thread is only told by its status here.
HEADROOM_CARD_API void cudnnGetLastErrorString(char* message, std::size_t bytes)
{
    if (message != nullptr && bytes > 0)
        message[0] = '\0';
}

HEADROOM_CARD_API int cudnnCreate(void** handle)
{
    if (handle == nullptr)
        return dnn::status(Problem::BadParameter);
    if (cudaFree(nullptr) != cudaSuccess)
        return dnn::status(Problem::NotInitialised);
    *handle = static_cast<LibraryHandle*>(new dnn::Handle);
    return dnn::kSuccess;
}

HEADROOM_CARD_API int cudnnDestroy(void* handle)
{
    dnn::Handle* own = dnn::handleOf(handle);
    if (own == nullptr)
        return dnn::status(Problem::NotInitialised);
    delete own;
    return dnn::kSuccess;
}

HEADROOM_CARD_API int cudnnSetStream(void* handle, CUstream_st* stream)
{
    dnn::Handle* own = dnn::handleOf(handle);
    if (own == nullptr)
        return dnn::status(Problem::BadParameter);
    own->stream = stream;
    return dnn::kSuccess;
}

HEADROOM_CARD_API int cudnnGetStream(void* handle, CUstream_st** stream)
{
    const dnn::Handle* own = dnn::handleOf(handle);
    if (own == nullptr || stream == nullptr)
        return dnn::status(Problem::BadParameter);
    *stream = own->stream;
    return dnn::kSuccess;
}

HEADROOM_CARD_API int cudnnQueryRuntimeError(void* handle, int* found, int, void*)
{
    if (dnn::handleOf(handle) == nullptr || found == nullptr)
        return dnn::status(Problem::BadParameter);
    *found = dnn::kSuccess;
    return dnn::kSuccess;
}

HEADROOM_CARD_API int cudnnSetCallback(unsigned, void*, void*)
{
    return dnn::kSuccess; // nothing is logged
}

#define HEADROOM_VERSION_CHECK(NAME)                                                                                   \
    HEADROOM_CARD_API int NAME()                                                                                       \
    {                                                                                                                  \
        return dnn::kSuccess;                                                                                          \
    }
HEADROOM_VERSION_CHECK(cudnnGraphVersionCheck)
HEADROOM_VERSION_CHECK(cudnnOpsVersionCheck)
HEADROOM_VERSION_CHECK(cudnnCnnVersionCheck)
HEADROOM_VERSION_CHECK(cudnnAdvVersionCheck)
