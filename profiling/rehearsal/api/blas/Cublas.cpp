// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/api/blas/Cublas.h"

#include "profiling/rehearsal/api/Exported.h"
#include "profiling/rehearsal/api/LibraryVersions.h"

#include <cuda_runtime_api.h>

namespace headroom::rehearsal::blas {
namespace {

template <typename Value> int readBack(void* handle, Value Handle::* member, Value* value)
{
    Handle* own = handleOf(handle);
    if (own == nullptr)
        return NotInitialised;
    if (value == nullptr)
        return InvalidValue;
    *value = own->*member;
    return Success;
}

template <typename Value> int store(void* handle, Value Handle::* member, Value value)
{
    Handle* own = handleOf(handle);
    if (own == nullptr)
        return NotInitialised;
    own->*member = value;
    return Success;
}

int statusOf(cudaError_t error)
{
    return error == cudaSuccess ? Success : MappingError;
}

// Rows of one element: with an increment above 1 the elements of a vector lie apart.
template <typename Count>
int copyVector(Count n, Count elementBytes, const void* from, Count incrementFrom, void* to, Count incrementTo,
    cudaMemcpyKind kind, cudaStream_t stream)
{
    if (n == 0)
        return Success;
    if (n < 0 || elementBytes <= 0 || incrementFrom <= 0 || incrementTo <= 0)
        return InvalidValue;
    const auto width = static_cast<std::size_t>(elementBytes);
    return statusOf(cudaMemcpy2DAsync(to, width * static_cast<std::size_t>(incrementTo), from,
        width * static_cast<std::size_t>(incrementFrom), width, static_cast<std::size_t>(n), kind, stream));
}

template <typename Count>
int copyMatrix(Count rows, Count columns, Count elementBytes, const void* from, Count leadingFrom, void* to,
    Count leadingTo, cudaMemcpyKind kind, cudaStream_t stream)
{
    if (rows == 0 || columns == 0)
        return Success;
    if (rows < 0 || columns < 0 || elementBytes <= 0 || leadingFrom < rows || leadingTo < rows)
        return InvalidValue;
    const auto width = static_cast<std::size_t>(elementBytes);
    return statusOf(cudaMemcpy2DAsync(to, width * static_cast<std::size_t>(leadingTo), from,
        width * static_cast<std::size_t>(leadingFrom), width * static_cast<std::size_t>(rows),
        static_cast<std::size_t>(columns), kind, stream));
}

int afterCopy(int status)
{
    return status == Success ? statusOf(cudaStreamSynchronize(nullptr)) : status;
}

} // namespace

const char* statusName(int status)
{
    switch (status) {
    case Success:
        return "CUBLAS_STATUS_SUCCESS";
    case NotInitialised:
        return "CUBLAS_STATUS_NOT_INITIALIZED";
    case AllocationFailed:
        return "CUBLAS_STATUS_ALLOC_FAILED";
    case InvalidValue:
        return "CUBLAS_STATUS_INVALID_VALUE";
    case ArchitectureMismatch:
        return "CUBLAS_STATUS_ARCH_MISMATCH";
    case MappingError:
        return "CUBLAS_STATUS_MAPPING_ERROR";
    case ExecutionFailed:
        return "CUBLAS_STATUS_EXECUTION_FAILED";
    case InternalError:
        return "CUBLAS_STATUS_INTERNAL_ERROR";
    case NotSupported:
        return "CUBLAS_STATUS_NOT_SUPPORTED";
    case LicenceError:
        return "CUBLAS_STATUS_LICENSE_ERROR";
    default:
        return "CUBLAS_STATUS_UNKNOWN";
    }
}

const char* statusText(int status)
{
    switch (status) {
    case Success:
        return "success";
    case NotInitialised:
        return "the library was not initialized";
    case AllocationFailed:
        return "the resource allocation failed";
    case InvalidValue:
        return "an invalid value was used as a parameter";
    case ArchitectureMismatch:
        return "an absent device architectural feature is required";
    case MappingError:
        return "an access to GPU memory space failed";
    case ExecutionFailed:
        return "the function failed to launch on the GPU";
    case InternalError:
        return "an internal operation failed";
    case NotSupported:
        return "the functionality is not supported";
    case LicenceError:
        return "the functionality requested requires some license and an error was detected";
    default:
        return "unknown status";
    }
}

} // namespace headroom::rehearsal::blas

using namespace headroom::rehearsal;
using namespace headroom::rehearsal::blas;

HEADROOM_CARD_API int cublasCreate_v2(void** handle)
{
    if (handle == nullptr)
        return InvalidValue;
    int device = 0;
    if (cudaGetDevice(&device) != cudaSuccess)
        return NotInitialised;
    *handle = static_cast<LibraryHandle*>(new Handle);
    return Success;
}

HEADROOM_CARD_API int cublasDestroy_v2(void* handle)
{
    Handle* own = handleOf(handle);
    if (own == nullptr)
        return NotInitialised;
    delete own;
    return Success;
}

HEADROOM_CARD_API int cublasGetVersion_v2(void*, int* version)
{
    if (version == nullptr)
        return InvalidValue;
    *version = versionOf(Library::Cublas).number(10000);
    return Success;
}

HEADROOM_CARD_API int cublasGetProperty(int property, int* value)
{
    return readProperty(Library::Cublas, property, value) ? Success : InvalidValue;
}

HEADROOM_CARD_API std::size_t cublasGetCudartVersion()
{
    return CUDART_VERSION;
}

HEADROOM_CARD_API int cublasSetWorkspace_v2(void* handle, void* workspace, std::size_t bytes)
{
    Handle* own = handleOf(handle);
    if (own == nullptr)
        return NotInitialised;
    if (reinterpret_cast<std::uintptr_t>(workspace) % 256 != 0)
        return InvalidValue;
    own->workspace = workspace;
    own->workspaceBytes = bytes;
    return Success;
}

HEADROOM_CARD_API int cublasSetStream_v2(void* handle, CUstream_st* stream)
{
    Handle* own = handleOf(handle);
    if (own == nullptr)
        return NotInitialised;
    own->stream = stream;
    own->workspace = nullptr; // the library goes back to its own
    own->workspaceBytes = 0;
    return Success;
}

HEADROOM_CARD_API int cublasGetStream_v2(void* handle, CUstream_st** stream)
{
    Handle* own = handleOf(handle);
    if (own == nullptr)
        return NotInitialised;
    if (stream == nullptr)
        return InvalidValue;
    *stream = own->stream;
    return Success;
}

HEADROOM_CARD_API int cublasGetPointerMode_v2(void* handle, int* mode)
{
    return readBack(handle, &Handle::pointerMode, mode);
}

HEADROOM_CARD_API int cublasSetPointerMode_v2(void* handle, int mode)
{
    if (mode != kHostPointers && mode != kDevicePointers)
        return InvalidValue;
    return store(handle, &Handle::pointerMode, mode);
}

HEADROOM_CARD_API int cublasGetAtomicsMode(void* handle, int* mode)
{
    return readBack(handle, &Handle::atomicsMode, mode);
}

HEADROOM_CARD_API int cublasSetAtomicsMode(void* handle, int mode)
{
    return store(handle, &Handle::atomicsMode, mode);
}

HEADROOM_CARD_API int cublasGetMathMode(void* handle, int* mode)
{
    return readBack(handle, &Handle::mathMode, mode);
}

HEADROOM_CARD_API int cublasSetMathMode(void* handle, int mode)
{
    return store(handle, &Handle::mathMode, mode);
}

HEADROOM_CARD_API int cublasGetSmCountTarget(void* handle, int* count)
{
    return readBack(handle, &Handle::multiprocessorTarget, count);
}

HEADROOM_CARD_API int cublasSetSmCountTarget(void* handle, int count)
{
    return store(handle, &Handle::multiprocessorTarget, count);
}

HEADROOM_CARD_API int cublasGetEmulationStrategy(void* handle, int* strategy)
{
    return readBack(handle, &Handle::emulationStrategy, strategy);
}

HEADROOM_CARD_API int cublasSetEmulationStrategy(void* handle, int strategy)
{
    return store(handle, &Handle::emulationStrategy, strategy);
}

HEADROOM_CARD_API int cublasGetEmulationSpecialValuesSupport(void* handle, int* mask)
{
    return readBack(handle, &Handle::emulationSpecialValues, mask);
}

HEADROOM_CARD_API int cublasSetEmulationSpecialValuesSupport(void* handle, int mask)
{
    return store(handle, &Handle::emulationSpecialValues, mask);
}

HEADROOM_CARD_API int cublasGetFixedPointEmulationMantissaControl(void* handle, int* control)
{
    return readBack(handle, &Handle::mantissaControl, control);
}

HEADROOM_CARD_API int cublasSetFixedPointEmulationMantissaControl(void* handle, int control)
{
    return store(handle, &Handle::mantissaControl, control);
}

HEADROOM_CARD_API int cublasGetFixedPointEmulationMaxMantissaBitCount(void* handle, int* bits)
{
    return readBack(handle, &Handle::mantissaBits, bits);
}

HEADROOM_CARD_API int cublasSetFixedPointEmulationMaxMantissaBitCount(void* handle, int bits)
{
    return store(handle, &Handle::mantissaBits, bits);
}

HEADROOM_CARD_API int cublasGetFixedPointEmulationMantissaBitOffset(void* handle, int* offset)
{
    return readBack(handle, &Handle::mantissaOffset, offset);
}

HEADROOM_CARD_API int cublasSetFixedPointEmulationMantissaBitOffset(void* handle, int offset)
{
    return store(handle, &Handle::mantissaOffset, offset);
}

HEADROOM_CARD_API int cublasGetFixedPointEmulationMantissaBitCountPointer(void* handle, int** pointer)
{
    return readBack(handle, &Handle::mantissaBitsPointer, pointer);
}

HEADROOM_CARD_API int cublasSetFixedPointEmulationMantissaBitCountPointer(void* handle, int* pointer)
{
    return store(handle, &Handle::mantissaBitsPointer, pointer);
}

HEADROOM_CARD_API const char* cublasGetStatusName(int status)
{
    return statusName(status);
}

HEADROOM_CARD_API const char* cublasGetStatusString(int status)
{
    return statusText(status);
}

// Nothing is logged here; the settings of a log have no effect that a caller could see.
HEADROOM_CARD_API int cublasLoggerConfigure(int, int, int, const char*)
{
    return Success;
}

namespace {
void (*s_cublasLogger)(const char*) = nullptr;
}

HEADROOM_CARD_API int cublasSetLoggerCallback(void (*callback)(const char*))
{
    s_cublasLogger = callback;
    return Success;
}

HEADROOM_CARD_API int cublasGetLoggerCallback(void (**callback)(const char*))
{
    if (callback == nullptr)
        return InvalidValue;
    *callback = s_cublasLogger;
    return Success;
}

#define HEADROOM_VECTOR_COPY(NAME, COUNT, KIND)                                                                        \
    HEADROOM_CARD_API int NAME(                                                                                        \
        COUNT n, COUNT elementBytes, const void* x, COUNT incrementX, void* y, COUNT incrementY)                       \
    {                                                                                                                  \
        return afterCopy(copyVector<COUNT>(n, elementBytes, x, incrementX, y, incrementY, KIND, nullptr));             \
    }
#define HEADROOM_VECTOR_COPY_ASYNC(NAME, COUNT, KIND)                                                                  \
    HEADROOM_CARD_API int NAME(                                                                                        \
        COUNT n, COUNT elementBytes, const void* x, COUNT incrementX, void* y, COUNT incrementY, CUstream_st* stream)  \
    {                                                                                                                  \
        return copyVector<COUNT>(n, elementBytes, x, incrementX, y, incrementY, KIND, stream);                         \
    }
#define HEADROOM_MATRIX_COPY(NAME, COUNT, KIND)                                                                        \
    HEADROOM_CARD_API int NAME(                                                                                        \
        COUNT rows, COUNT columns, COUNT elementBytes, const void* a, COUNT leadingA, void* b, COUNT leadingB)         \
    {                                                                                                                  \
        return afterCopy(copyMatrix<COUNT>(rows, columns, elementBytes, a, leadingA, b, leadingB, KIND, nullptr));     \
    }
#define HEADROOM_MATRIX_COPY_ASYNC(NAME, COUNT, KIND)                                                                  \
    HEADROOM_CARD_API int NAME(COUNT rows, COUNT columns, COUNT elementBytes, const void* a, COUNT leadingA, void* b,  \
        COUNT leadingB, CUstream_st* stream)                                                                           \
    {                                                                                                                  \
        return copyMatrix<COUNT>(rows, columns, elementBytes, a, leadingA, b, leadingB, KIND, stream);                 \
    }
HEADROOM_VECTOR_COPY(cublasSetVector, int, cudaMemcpyHostToDevice)
HEADROOM_VECTOR_COPY(cublasSetVector_64, std::int64_t, cudaMemcpyHostToDevice)
HEADROOM_VECTOR_COPY(cublasGetVector, int, cudaMemcpyDeviceToHost)
HEADROOM_VECTOR_COPY(cublasGetVector_64, std::int64_t, cudaMemcpyDeviceToHost)
HEADROOM_VECTOR_COPY_ASYNC(cublasSetVectorAsync, int, cudaMemcpyHostToDevice)
HEADROOM_VECTOR_COPY_ASYNC(cublasSetVectorAsync_64, std::int64_t, cudaMemcpyHostToDevice)
HEADROOM_VECTOR_COPY_ASYNC(cublasGetVectorAsync, int, cudaMemcpyDeviceToHost)
HEADROOM_VECTOR_COPY_ASYNC(cublasGetVectorAsync_64, std::int64_t, cudaMemcpyDeviceToHost)
HEADROOM_MATRIX_COPY(cublasSetMatrix, int, cudaMemcpyHostToDevice)
HEADROOM_MATRIX_COPY(cublasSetMatrix_64, std::int64_t, cudaMemcpyHostToDevice)
HEADROOM_MATRIX_COPY(cublasGetMatrix, int, cudaMemcpyDeviceToHost)
HEADROOM_MATRIX_COPY(cublasGetMatrix_64, std::int64_t, cudaMemcpyDeviceToHost)
HEADROOM_MATRIX_COPY_ASYNC(cublasSetMatrixAsync, int, cudaMemcpyHostToDevice)
HEADROOM_MATRIX_COPY_ASYNC(cublasSetMatrixAsync_64, std::int64_t, cudaMemcpyHostToDevice)
HEADROOM_MATRIX_COPY_ASYNC(cublasGetMatrixAsync, int, cudaMemcpyDeviceToHost)
HEADROOM_MATRIX_COPY_ASYNC(cublasGetMatrixAsync_64, std::int64_t, cudaMemcpyDeviceToHost)
