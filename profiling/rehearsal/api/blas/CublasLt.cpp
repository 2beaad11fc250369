// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/api/blas/CublasLt.h"

#include "profiling/rehearsal/Card.h"
#include "profiling/rehearsal/Product.h"
#include "profiling/rehearsal/api/Attributes.h"
#include "profiling/rehearsal/api/Exported.h"
#include "profiling/rehearsal/api/LibraryVersions.h"
#include "profiling/rehearsal/api/blas/Cublas.h"

#include <cuda_runtime_api.h>

#include <cstring>
#include <new>

namespace headroom::rehearsal::blaslt {
namespace {

/// A handle of cuBLAS serves too: it has one of cuBLASLt in it, which PyTorch uses.
bool isLtHandle(const void* handle)
{
    return isHandleOf(handle, Library::CublasLt) || isHandleOf(handle, Library::Cublas);
}

using blas::InvalidValue;
using blas::NotInitialised;
using blas::NotSupported;
using blas::Success;

// cublasLtMatmulAlgoConfigAttributes_t.
constexpr AttributePlace kAlgorithmPlaces[] = {HEADROOM_PLACE(0, Algorithm, id), HEADROOM_PLACE(1, Algorithm, tile),
    HEADROOM_PLACE(2, Algorithm, splits), HEADROOM_PLACE(3, Algorithm, reduction),
    HEADROOM_PLACE(4, Algorithm, swizzle), HEADROOM_PLACE(5, Algorithm, customOption),
    HEADROOM_PLACE(6, Algorithm, stages), HEADROOM_PLACE(7, Algorithm, innerShape),
    HEADROOM_PLACE(8, Algorithm, clusterShape)};

int statusOf(bool isDone)
{
    return isDone ? Success : InvalidValue;
}

// Depth and width follow from the layouts, which are those of the matrices as they lie in memory.
Product productOf(const Multiplication& multiplication, const Layout& a, const Layout& b, const Layout& d)
{
    return {.m = static_cast<std::int64_t>(d.rows),
        .n = static_cast<std::int64_t>(d.columns),
        .k = static_cast<std::int64_t>(multiplication.transposeA == 0 ? a.columns : a.rows),
        .batch = d.batch,
        .typeA = static_cast<int>(a.type),
        .typeB = static_cast<int>(b.type),
        .typeC = static_cast<int>(d.type),
        .computeType = multiplication.computeType,
        .transposedA = blas::isTransposed(multiplication.transposeA),
        .transposedB = blas::isTransposed(multiplication.transposeB)};
}

bool fitTogether(const Multiplication& multiplication, const Layout& a, const Layout& b, const Layout& d)
{
    const bool isPlainA = multiplication.transposeA == 0;
    const bool isPlainB = multiplication.transposeB == 0;
    return (isPlainA ? a.rows : a.columns) == d.rows && (isPlainB ? b.columns : b.rows) == d.columns
        && (isPlainA ? a.columns : a.rows) == (isPlainB ? b.rows : b.columns);
}

bool isEight(std::uint32_t type)
{
    return type == blas::E4M3 || type == blas::E5M2;
}

// Numbers of 8 bits are multiplied from capability 8.9 on, of 4 bits from 10.0 on; brain floats from 8.0 on.
bool cardMultiplies(std::uint32_t type)
{
    const int capability = card().capabilityMajor * 10 + card().capabilityMinor;
    if (isEight(type))
        return capability >= 89;
    if (type == blas::E2M1)
        return capability >= 100;
    return type != blas::BF16 || capability >= 80;
}

// Before capability 10 products of 8 bits are of the form A^T B alone, with extents that are multiples of 16.
bool isEightBitShape(const Multiplication& multiplication, const Layout& a, const Layout& b)
{
    if (!isEight(a.type) && !isEight(b.type))
        return true;
    const bool isAligned = a.rows % 16 == 0 && a.columns % 16 == 0 && b.rows % 16 == 0;
    const bool isTransposed = multiplication.transposeA != 0 && multiplication.transposeB == 0;
    return isAligned && (isTransposed || card().capabilityMajor >= 10);
}

int support(const void* multiplication, const void* a, const void* b, const void* d)
{
    if (multiplication == nullptr || a == nullptr || b == nullptr || d == nullptr)
        return InvalidValue;
    const auto& of = *static_cast<const Multiplication*>(multiplication);
    const auto& layoutA = *static_cast<const Layout*>(a);
    const auto& layoutB = *static_cast<const Layout*>(b);
    if (!fitTogether(of, layoutA, layoutB, *static_cast<const Layout*>(d)))
        return InvalidValue;
    const bool isSupported =
        cardMultiplies(layoutA.type) && cardMultiplies(layoutB.type) && isEightBitShape(of, layoutA, layoutB);
    return isSupported ? Success : NotSupported;
}

HeuristicResult resultOf(const Algorithm& algorithm)
{
    HeuristicResult result{};
    std::memcpy(result.algorithm, &algorithm, sizeof(algorithm));
    result.state = Success;
    result.waves = 1;
    return result;
}

constexpr int kAlgorithmId = 0;

} // namespace
} // namespace headroom::rehearsal::blaslt

using namespace headroom::rehearsal;
using namespace headroom::rehearsal::blaslt;

HEADROOM_CARD_API int cublasLtCreate(void** handle)
{
    if (handle == nullptr)
        return InvalidValue;
    int device = 0;
    if (cudaGetDevice(&device) != cudaSuccess)
        return NotInitialised;
    *handle = new LibraryHandle(Library::CublasLt);
    return Success;
}

HEADROOM_CARD_API int cublasLtDestroy(void* handle)
{
    if (!isLtHandle(handle))
        return NotInitialised;
    delete static_cast<LibraryHandle*>(handle);
    return Success;
}

HEADROOM_CARD_API const char* cublasLtGetStatusName(int status)
{
    return blas::statusName(status);
}

HEADROOM_CARD_API const char* cublasLtGetStatusString(int status)
{
    return blas::statusText(status);
}

HEADROOM_CARD_API std::size_t cublasLtGetVersion()
{
    return static_cast<std::size_t>(versionOf(Library::CublasLt).number(10000));
}

HEADROOM_CARD_API std::size_t cublasLtGetCudartVersion()
{
    return CUDART_VERSION;
}

HEADROOM_CARD_API int cublasLtGetProperty(int property, int* value)
{
    return readProperty(Library::CublasLt, property, value) ? Success : InvalidValue;
}

namespace {
std::size_t s_heuristicsCapacity = 8192; // entries; nothing is kept, as nothing is searched
}

HEADROOM_CARD_API int cublasLtHeuristicsCacheGetCapacity(std::size_t* capacity)
{
    if (capacity == nullptr)
        return InvalidValue;
    *capacity = s_heuristicsCapacity;
    return Success;
}

HEADROOM_CARD_API int cublasLtHeuristicsCacheSetCapacity(std::size_t capacity)
{
    s_heuristicsCapacity = capacity;
    return Success;
}

HEADROOM_CARD_API int cublasLtMatrixTransform(void* handle, const void* transformation, const void*, const void*,
    const void*, const void*, const void*, const void*, void*, const void* layoutC, CUstream_st* stream)
{
    if (!isLtHandle(handle))
        return NotInitialised;
    if (transformation == nullptr || layoutC == nullptr)
        return InvalidValue;
    return blas::launchStatus(launchNamed("cublasLtMatrixTransform", stream));
}

HEADROOM_CARD_API int cublasLtMatmulAlgoGetHeuristic(void* handle, const void* multiplication, const void* layoutA,
    const void* layoutB, const void* layoutC, const void* layoutD, const void* preference, int wanted,
    HeuristicResult* results, int* found)
{
    if (!isLtHandle(handle))
        return NotInitialised;
    if (layoutC == nullptr || preference == nullptr || results == nullptr || found == nullptr || wanted < 1)
        return InvalidValue;
    *found = 0;
    if (const int status = support(multiplication, layoutA, layoutB, layoutD); status != Success)
        return status;
    results[0] = resultOf({});
    *found = 1;
    return Success;
}

HEADROOM_CARD_API int cublasLtMatmulAlgoGetIds(
    void* handle, int, int, int, int, int, int, int wanted, int* ids, int* found)
{
    if (!isLtHandle(handle))
        return NotInitialised;
    if (wanted < 0 || (wanted > 0 && ids == nullptr))
        return InvalidValue;
    if (wanted > 0)
        ids[0] = kAlgorithmId;
    if (found != nullptr)
        *found = wanted > 0 ? 1 : 0;
    return Success;
}

HEADROOM_CARD_API int cublasLtMatmulAlgoInit(void* handle, int, int, int, int, int, int, int id, void* algorithm)
{
    if (!isLtHandle(handle))
        return NotInitialised;
    if (algorithm == nullptr || id != kAlgorithmId)
        return InvalidValue;
    new (algorithm) Algorithm;
    return Success;
}

HEADROOM_CARD_API int cublasLtMatmulAlgoCheck(void* handle, const void* multiplication, const void* layoutA,
    const void* layoutB, const void*, const void* layoutD, const void* algorithm, HeuristicResult* result)
{
    if (!isLtHandle(handle))
        return NotInitialised;
    if (algorithm == nullptr || result == nullptr
        || static_cast<const Algorithm*>(algorithm)->magic != Algorithm::kMagic)
        return InvalidValue;
    const int status = support(multiplication, layoutA, layoutB, layoutD);
    *result = resultOf(*static_cast<const Algorithm*>(algorithm));
    result->state = status;
    return status;
}

HEADROOM_CARD_API int cublasLtMatmulAlgoConfigSetAttribute(
    void* algorithm, int attribute, const void* value, std::size_t bytes)
{
    constexpr int kId = 0; // is set by cublasLtMatmulAlgoInit alone
    return statusOf(attribute != kId && setAttribute(kAlgorithmPlaces, algorithm, attribute, value, bytes));
}

HEADROOM_CARD_API int cublasLtMatmulAlgoConfigGetAttribute(
    const void* algorithm, int attribute, void* value, std::size_t bytes, std::size_t* written)
{
    return statusOf(getAttribute(kAlgorithmPlaces, algorithm, attribute, value, bytes, written));
}

HEADROOM_CARD_API int cublasLtMatmul(void* handle, const void* multiplication, const void*, const void*,
    const void* layoutA, const void*, const void* layoutB, const void*, const void*, const void*, void*,
    const void* layoutD, const void*, void*, std::size_t, CUstream_st* stream)
{
    if (!isLtHandle(handle))
        return NotInitialised;
    if (const int status = support(multiplication, layoutA, layoutB, layoutD); status != Success)
        return status;
    const Product product =
        productOf(*static_cast<const Multiplication*>(multiplication), *static_cast<const Layout*>(layoutA),
            *static_cast<const Layout*>(layoutB), *static_cast<const Layout*>(layoutD));
    return blas::launchStatus(launchProduct("gemm", product, stream));
}

HEADROOM_CARD_API int cublasLtLoggerSetCallback(void*)
{
    return Success;
}

HEADROOM_CARD_API int cublasLtLoggerSetFile(void*)
{
    return Success;
}

HEADROOM_CARD_API int cublasLtLoggerOpenFile(const char*)
{
    return Success;
}

HEADROOM_CARD_API int cublasLtLoggerSetLevel(int)
{
    return Success;
}

HEADROOM_CARD_API int cublasLtLoggerSetMask(int)
{
    return Success;
}

HEADROOM_CARD_API int cublasLtLoggerForceDisable()
{
    return Success;
}
