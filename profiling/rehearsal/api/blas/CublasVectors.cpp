// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/Ledger.h"
#include "profiling/rehearsal/Product.h"
#include "profiling/rehearsal/api/Exported.h"
#include "profiling/rehearsal/api/blas/Cublas.h"

#include <cuda_runtime_api.h>

#include <cstring>

namespace headroom::rehearsal::blas {
namespace {

// A result on the device is what no kernel computes; one on the host is given to the caller, who waits for it: 0.
int reduce(void* handle, const char* name, void* result, std::size_t resultBytes)
{
    const Handle* own = handleOf(handle);
    if (own == nullptr)
        return NotInitialised;
    if (result == nullptr)
        return InvalidValue;
    if (const int status = launchStatus(launchNamed(name, own->stream)); status != Success)
        return status;
    if (own->pointerMode == kDevicePointers)
        return Success;
    if (cudaStreamSynchronize(own->stream) != cudaSuccess)
        return ExecutionFailed;
    std::memset(result, 0, resultBytes);
    noteUnknownRead(name, resultBytes);
    return Success;
}

std::size_t bytesOf(int dataType)
{
    return static_cast<std::size_t>(dataTypeBits(dataType)) / 8;
}

} // namespace
} // namespace headroom::rehearsal::blas

using namespace headroom::rehearsal;
using namespace headroom::rehearsal::blas;

#define HEADROOM_DOT(NAME, COUNT, BYTES)                                                                               \
    HEADROOM_CARD_API int NAME(void* handle, COUNT, const void*, COUNT, const void*, COUNT, void* result)              \
    {                                                                                                                  \
        return reduce(handle, #NAME, result, BYTES);                                                                   \
    }
#define HEADROOM_NORM(NAME, COUNT, BYTES)                                                                              \
    HEADROOM_CARD_API int NAME(void* handle, COUNT, const void*, COUNT, void* result)                                  \
    {                                                                                                                  \
        return reduce(handle, #NAME, result, BYTES);                                                                   \
    }
#define HEADROOM_EXTREME(NAME, COUNT, UNUSED)                                                                          \
    HEADROOM_CARD_API int NAME(void* handle, COUNT, const void*, COUNT, COUNT* result)                                 \
    {                                                                                                                  \
        return reduce(handle, #NAME, result, sizeof(COUNT));                                                           \
    }
#define HEADROOM_DOT_EX(NAME, COUNT, UNUSED)                                                                           \
    HEADROOM_CARD_API int NAME(                                                                                        \
        void* handle, COUNT, const void*, int, COUNT, const void*, int, COUNT, void* result, int resultType, int)      \
    {                                                                                                                  \
        return reduce(handle, #NAME, result, bytesOf(resultType));                                                     \
    }
#define HEADROOM_NORM_EX(NAME, COUNT, UNUSED)                                                                          \
    HEADROOM_CARD_API int NAME(void* handle, COUNT, const void*, int, COUNT, void* result, int resultType, int)        \
    {                                                                                                                  \
        return reduce(handle, #NAME, result, bytesOf(resultType));                                                     \
    }
#define HEADROOM_EXTREME_EX(NAME, COUNT, UNUSED)                                                                       \
    HEADROOM_CARD_API int NAME(void* handle, COUNT, const void*, int, COUNT, COUNT* result)                            \
    {                                                                                                                  \
        return reduce(handle, #NAME, result, sizeof(COUNT));                                                           \
    }
#define HEADROOM_OF_BOTH_COUNTS(FORM, NAME, BYTES)                                                                     \
    FORM(NAME, int, BYTES)                                                                                             \
    FORM(NAME##_64, std::int64_t, BYTES)

HEADROOM_OF_BOTH_COUNTS(HEADROOM_DOT, cublasSdot_v2, 4)
HEADROOM_OF_BOTH_COUNTS(HEADROOM_DOT, cublasDdot_v2, 8)
HEADROOM_OF_BOTH_COUNTS(HEADROOM_DOT, cublasCdotu_v2, 8)
HEADROOM_OF_BOTH_COUNTS(HEADROOM_DOT, cublasCdotc_v2, 8)
HEADROOM_OF_BOTH_COUNTS(HEADROOM_DOT, cublasZdotu_v2, 16)
HEADROOM_OF_BOTH_COUNTS(HEADROOM_DOT, cublasZdotc_v2, 16)
HEADROOM_OF_BOTH_COUNTS(HEADROOM_NORM, cublasSnrm2_v2, 4)
HEADROOM_OF_BOTH_COUNTS(HEADROOM_NORM, cublasDnrm2_v2, 8)
HEADROOM_OF_BOTH_COUNTS(HEADROOM_NORM, cublasScnrm2_v2, 4)
HEADROOM_OF_BOTH_COUNTS(HEADROOM_NORM, cublasDznrm2_v2, 8)
HEADROOM_OF_BOTH_COUNTS(HEADROOM_NORM, cublasSasum_v2, 4)
HEADROOM_OF_BOTH_COUNTS(HEADROOM_NORM, cublasDasum_v2, 8)
HEADROOM_OF_BOTH_COUNTS(HEADROOM_NORM, cublasScasum_v2, 4)
HEADROOM_OF_BOTH_COUNTS(HEADROOM_NORM, cublasDzasum_v2, 8)
HEADROOM_OF_BOTH_COUNTS(HEADROOM_EXTREME, cublasIsamax_v2, )
HEADROOM_OF_BOTH_COUNTS(HEADROOM_EXTREME, cublasIdamax_v2, )
HEADROOM_OF_BOTH_COUNTS(HEADROOM_EXTREME, cublasIcamax_v2, )
HEADROOM_OF_BOTH_COUNTS(HEADROOM_EXTREME, cublasIzamax_v2, )
HEADROOM_OF_BOTH_COUNTS(HEADROOM_EXTREME, cublasIsamin_v2, )
HEADROOM_OF_BOTH_COUNTS(HEADROOM_EXTREME, cublasIdamin_v2, )
HEADROOM_OF_BOTH_COUNTS(HEADROOM_EXTREME, cublasIcamin_v2, )
HEADROOM_OF_BOTH_COUNTS(HEADROOM_EXTREME, cublasIzamin_v2, )
HEADROOM_OF_BOTH_COUNTS(HEADROOM_DOT_EX, cublasDotEx, )
HEADROOM_OF_BOTH_COUNTS(HEADROOM_DOT_EX, cublasDotcEx, )
HEADROOM_OF_BOTH_COUNTS(HEADROOM_NORM_EX, cublasNrm2Ex, )
HEADROOM_OF_BOTH_COUNTS(HEADROOM_NORM_EX, cublasAsumEx, )
HEADROOM_OF_BOTH_COUNTS(HEADROOM_EXTREME_EX, cublasIamaxEx, )
HEADROOM_OF_BOTH_COUNTS(HEADROOM_EXTREME_EX, cublasIaminEx, )

/// What the build writes for functions that only compute on the device (symbols/symbols.py).
extern "C" int headroom_launch_cublas(void* handle, const char* name)
{
    const Handle* own = handleOf(handle);
    if (own == nullptr)
        return NotInitialised;
    return launchStatus(launchNamed(name, own->stream));
}
