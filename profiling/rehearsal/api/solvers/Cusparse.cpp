// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/api/solvers/Cusparse.h"

#include "profiling/rehearsal/Ledger.h"
#include "profiling/rehearsal/Product.h"
#include "profiling/rehearsal/api/Exported.h"
#include "profiling/rehearsal/api/LibraryVersions.h"

#include <cuda_runtime_api.h>

#include <algorithm>

namespace headroom::rehearsal::sparse {
namespace {

std::size_t bytesOf(int dataType)
{
    return static_cast<std::size_t>(dataTypeBits(dataType)) / 8;
}

/// The library publishes no sizes of its buffers. None is counted; the range goes up to one copy of the matrix's values
/// and indices, which is what rearranging it takes.
template <typename Size> int answerBuffer(void* handle, const char* function, double mostBytes, Size* bytes)
{
    if (handleOf(handle) == nullptr)
        return NotInitialised;
    if (bytes == nullptr)
        return InvalidValue;
    *bytes = 0;
    if (mostBytes >= 1)
        noteNotCounted("cuSPARSE", function, 0, static_cast<std::size_t>(mostBytes));
    return Success;
}

double copyBytes(const void* matrix)
{
    constexpr double kIndexBytes = 8;
    if (matrix == nullptr)
        return 0;
    const auto& own = *static_cast<const SparseMatrix*>(matrix);
    return static_cast<double>(own.nonZero) * (static_cast<double>(bytesOf(own.valueType)) + kIndexBytes)
        * std::max(own.batch, 1);
}

// Keys and their places are sorted by digits from one pair of arrays into another.
template <typename Size> int answerSorting(void* handle, int count, Size* bytes)
{
    if (handleOf(handle) == nullptr)
        return NotInitialised;
    if (bytes == nullptr || count < 0)
        return InvalidValue;
    constexpr std::size_t kArrays = 4;
    constexpr std::size_t kAlignment = 256;
    const std::size_t array =
        (static_cast<std::size_t>(count) * sizeof(int) + kAlignment - 1) / kAlignment * kAlignment;
    *bytes = static_cast<Size>(kArrays * array);
    return Success;
}

int noZeroPivot(void* handle, int* position)
{
    const Handle* own = handleOf(handle);
    if (own == nullptr)
        return NotInitialised;
    if (position == nullptr)
        return InvalidValue;
    constexpr int kNone = -1;
    if (own->pointerMode == 0)
        *position = kNone;
    else
        cudaMemcpyAsync(position, &kNone, sizeof(kNone), cudaMemcpyHostToDevice, own->stream);
    return Success;
}

} // namespace

} // namespace headroom::rehearsal::sparse

using namespace headroom::rehearsal;
using namespace headroom::rehearsal::sparse;

/// What the build writes for functions that only compute on the device (symbols/symbols.py).
extern "C" int headroom_launch_cusparse(void* handle, const char* name)
{
    const sparse::Handle* own = sparse::handleOf(handle);
    if (own == nullptr)
        return sparse::NotInitialised;
    return launchNamed(name, own->stream) == 0 ? sparse::Success : sparse::ExecutionFailed;
}

HEADROOM_CARD_API int cusparseCreate(void** handle)
{
    if (handle == nullptr)
        return sparse::InvalidValue;
    int device = 0;
    if (cudaGetDevice(&device) != cudaSuccess)
        return sparse::NotInitialised;
    *handle = static_cast<LibraryHandle*>(new sparse::Handle);
    return sparse::Success;
}

HEADROOM_CARD_API int cusparseDestroy(void* handle)
{
    sparse::Handle* own = sparse::handleOf(handle);
    if (own == nullptr)
        return sparse::NotInitialised;
    delete own;
    return sparse::Success;
}

HEADROOM_CARD_API int cusparseGetVersion(void* handle, int* version)
{
    if (sparse::handleOf(handle) == nullptr)
        return sparse::NotInitialised;
    if (version == nullptr)
        return sparse::InvalidValue;
    *version = versionOf(Library::Cusparse).number(1000);
    return sparse::Success;
}

HEADROOM_CARD_API int cusparseGetProperty(int property, int* value)
{
    return readProperty(Library::Cusparse, property, value) ? sparse::Success : sparse::InvalidValue;
}

HEADROOM_CARD_API const char* cusparseGetErrorName(int status)
{
    switch (status) {
    case sparse::Success:
        return "CUSPARSE_STATUS_SUCCESS";
    case sparse::NotInitialised:
        return "CUSPARSE_STATUS_NOT_INITIALIZED";
    case sparse::AllocationFailed:
        return "CUSPARSE_STATUS_ALLOC_FAILED";
    case sparse::InvalidValue:
        return "CUSPARSE_STATUS_INVALID_VALUE";
    case sparse::ArchitectureMismatch:
        return "CUSPARSE_STATUS_ARCH_MISMATCH";
    case sparse::MappingError:
        return "CUSPARSE_STATUS_MAPPING_ERROR";
    case sparse::ExecutionFailed:
        return "CUSPARSE_STATUS_EXECUTION_FAILED";
    case sparse::InternalError:
        return "CUSPARSE_STATUS_INTERNAL_ERROR";
    case MatrixTypeNotSupported:
        return "CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED";
    case ZeroPivot:
        return "CUSPARSE_STATUS_ZERO_PIVOT";
    case sparse::NotSupported:
        return "CUSPARSE_STATUS_NOT_SUPPORTED";
    case InsufficientResources:
        return "CUSPARSE_STATUS_INSUFFICIENT_RESOURCES";
    default:
        return "unrecognized error code";
    }
}

HEADROOM_CARD_API const char* cusparseGetErrorString(int status)
{
    switch (status) {
    case sparse::Success:
        return "success";
    case sparse::NotInitialised:
        return "initialization error";
    case sparse::InvalidValue:
        return "invalid value";
    case sparse::ExecutionFailed:
        return "failed to launch on the GPU";
    case sparse::NotSupported:
        return "operation not supported";
    case InsufficientResources:
        return "insufficient resources";
    default:
        return cusparseGetErrorName(status);
    }
}

HEADROOM_CARD_API int cusparseSetStream(void* handle, CUstream_st* stream)
{
    sparse::Handle* own = sparse::handleOf(handle);
    if (own == nullptr)
        return sparse::NotInitialised;
    own->stream = stream;
    return sparse::Success;
}

HEADROOM_CARD_API int cusparseGetStream(void* handle, CUstream_st** stream)
{
    const sparse::Handle* own = sparse::handleOf(handle);
    if (own == nullptr)
        return sparse::NotInitialised;
    if (stream == nullptr)
        return sparse::InvalidValue;
    *stream = own->stream;
    return sparse::Success;
}

HEADROOM_CARD_API int cusparseSetPointerMode(void* handle, int mode)
{
    sparse::Handle* own = sparse::handleOf(handle);
    if (own == nullptr)
        return sparse::NotInitialised;
    own->pointerMode = mode;
    return sparse::Success;
}

HEADROOM_CARD_API int cusparseGetPointerMode(void* handle, int* mode)
{
    const sparse::Handle* own = sparse::handleOf(handle);
    if (own == nullptr)
        return sparse::NotInitialised;
    if (mode == nullptr)
        return sparse::InvalidValue;
    *mode = own->pointerMode;
    return sparse::Success;
}

// Older descriptions.
HEADROOM_CARD_API int cusparseCreateMatDescr(void** description)
{
    return sparse::create(MatrixDescription{}, description);
}

HEADROOM_CARD_API int cusparseDestroyMatDescr(void* description)
{
    return sparse::destroy<MatrixDescription>(description);
}

#define HEADROOM_DESCRIPTION(NAME, MEMBER)                                                                             \
    HEADROOM_CARD_API int cusparseSetMat##NAME(void* description, int value)                                           \
    {                                                                                                                  \
        return setMember(description, &MatrixDescription::MEMBER, value);                                              \
    }                                                                                                                  \
    HEADROOM_CARD_API int cusparseGetMat##NAME(const void* description)                                                \
    {                                                                                                                  \
        return member(description, &MatrixDescription::MEMBER);                                                        \
    }
HEADROOM_DESCRIPTION(Type, type)
HEADROOM_DESCRIPTION(FillMode, fillMode)
HEADROOM_DESCRIPTION(DiagType, diagonal)
HEADROOM_DESCRIPTION(IndexBase, indexBase)

// What analyses leave for solutions: nothing, so that an empty object stands for it.
#define HEADROOM_ANALYSIS(CREATE, DESTROY)                                                                             \
    HEADROOM_CARD_API int CREATE(void** analysis)                                                                      \
    {                                                                                                                  \
        return sparse::create(int{}, analysis);                                                                        \
    }                                                                                                                  \
    HEADROOM_CARD_API int DESTROY(void* analysis)                                                                      \
    {                                                                                                                  \
        return sparse::destroy<int>(analysis);                                                                         \
    }
HEADROOM_ANALYSIS(cusparseCreateBsrsv2Info, cusparseDestroyBsrsv2Info)
HEADROOM_ANALYSIS(cusparseCreateBsrsm2Info, cusparseDestroyBsrsm2Info)
HEADROOM_ANALYSIS(cusparseSpSV_createDescr, cusparseSpSV_destroyDescr)
HEADROOM_ANALYSIS(cusparseSpSM_createDescr, cusparseSpSM_destroyDescr)

HEADROOM_CARD_API int cusparseXbsrsv2_zeroPivot(void* handle, void*, int* position)
{
    return noZeroPivot(handle, position);
}

HEADROOM_CARD_API int cusparseXbsrsm2_zeroPivot(void* handle, void*, int* position)
{
    return noZeroPivot(handle, position);
}

// Buffers.
HEADROOM_CARD_API int cusparseSpMV_bufferSize(
    void* handle, int, const void*, const void* matrix, const void*, const void*, void*, int, int, std::size_t* bytes)
{
    return answerBuffer(handle, "cusparseSpMV", copyBytes(matrix), bytes);
}

HEADROOM_CARD_API int cusparseSpMM_bufferSize(void* handle, int, int, const void*, const void* matrix, const void*,
    const void*, void*, int, int, std::size_t* bytes)
{
    return answerBuffer(handle, "cusparseSpMM", copyBytes(matrix), bytes);
}

HEADROOM_CARD_API int cusparseSDDMM_bufferSize(void* handle, int, int, const void*, const void*, const void*,
    const void*, void* matrix, int, int, std::size_t* bytes)
{
    return answerBuffer(handle, "cusparseSDDMM", copyBytes(matrix), bytes);
}

HEADROOM_CARD_API int cusparseSpSV_bufferSize(
    void* handle, int, const void*, const void* matrix, const void*, void*, int, int, void*, std::size_t* bytes)
{
    return answerBuffer(handle, "cusparseSpSV", copyBytes(matrix), bytes);
}

HEADROOM_CARD_API int cusparseSpSM_bufferSize(
    void* handle, int, int, const void*, const void* matrix, const void*, void*, int, int, void*, std::size_t* bytes)
{
    return answerBuffer(handle, "cusparseSpSM", copyBytes(matrix), bytes);
}

HEADROOM_CARD_API int cusparseXcoosort_bufferSizeExt(
    void* handle, int, int, int nonZero, const int*, const int*, std::size_t* bytes)
{
    return answerSorting(handle, nonZero, bytes);
}

HEADROOM_CARD_API int cusparseXcsrsort_bufferSizeExt(
    void* handle, int, int, int nonZero, const int*, const int*, std::size_t* bytes)
{
    return answerSorting(handle, nonZero, bytes);
}

#define HEADROOM_BLOCK_BUFFERS(L, BYTES)                                                                               \
    HEADROOM_CARD_API int cusparse##L##bsrsv2_bufferSize(void* handle, int, int, int, int blocks, const void*, void*,  \
        const int*, const int*, int side, void*, int* bytes)                                                           \
    {                                                                                                                  \
        return answerBuffer(handle, "cusparse" #L "bsrsv2", double(blocks) * side * side * BYTES, bytes);              \
    }                                                                                                                  \
    HEADROOM_CARD_API int cusparse##L##bsrsm2_bufferSize(void* handle, int, int, int, int, int, int blocks,            \
        const void*, void*, const int*, const int*, int side, void*, int* bytes)                                       \
    {                                                                                                                  \
        return answerBuffer(handle, "cusparse" #L "bsrsm2", double(blocks) * side * side * BYTES, bytes);              \
    }                                                                                                                  \
    HEADROOM_CARD_API int cusparse##L##csrgeam2_bufferSizeExt(void* handle, int, int, const void*, const void*,        \
        int nonZeroA, const void*, const int*, const int*, const void*, const void*, int nonZeroB, const void*,        \
        const int*, const int*, const void*, const void*, const int*, const int*, std::size_t* bytes)                  \
    {                                                                                                                  \
        return answerBuffer(handle, "cusparse" #L "csrgeam2", (double(nonZeroA) + nonZeroB) * (BYTES + 4), bytes);     \
    }
HEADROOM_BLOCK_BUFFERS(S, 4)
HEADROOM_BLOCK_BUFFERS(D, 8)
HEADROOM_BLOCK_BUFFERS(C, 8)
HEADROOM_BLOCK_BUFFERS(Z, 16)

HEADROOM_CARD_API int cusparseLoggerSetCallback(void*)
{
    return sparse::Success;
}

HEADROOM_CARD_API int cusparseLoggerSetFile(void*)
{
    return sparse::Success;
}

HEADROOM_CARD_API int cusparseLoggerOpenFile(const char*)
{
    return sparse::Success;
}

HEADROOM_CARD_API int cusparseLoggerSetLevel(int)
{
    return sparse::Success;
}

HEADROOM_CARD_API int cusparseLoggerSetMask(int)
{
    return sparse::Success;
}

HEADROOM_CARD_API int cusparseLoggerForceDisable()
{
    return sparse::Success;
}
