// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/api/CublasLt.h"

#include "profiling/rehearsal/Card.h"
#include "profiling/rehearsal/Product.h"
#include "profiling/rehearsal/api/Attributes.h"
#include "profiling/rehearsal/api/Cublas.h"
#include "profiling/rehearsal/api/Exported.h"
#include "profiling/rehearsal/api/LibraryVersions.h"

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

#define HEADROOM_PLACE(NUMBER, TYPE, MEMBER) {NUMBER, offsetof(TYPE, MEMBER), sizeof(TYPE::MEMBER)}
#define HEADROOM_PLACE_IN(NUMBER, TYPE, MEMBER, INDEX)                                                                 \
    {NUMBER, offsetof(TYPE, MEMBER) + (INDEX) * sizeof(TYPE::MEMBER[0]), sizeof(TYPE::MEMBER[0])}

// cublasLtMatrixLayoutAttribute_t.
constexpr AttributePlace kLayoutPlaces[] = {HEADROOM_PLACE(0, Layout, type), HEADROOM_PLACE(1, Layout, order),
    HEADROOM_PLACE(2, Layout, rows), HEADROOM_PLACE(3, Layout, columns), HEADROOM_PLACE(4, Layout, leading),
    HEADROOM_PLACE(5, Layout, batch), HEADROOM_PLACE(6, Layout, batchStride), HEADROOM_PLACE(7, Layout, planeOffset),
    HEADROOM_PLACE(8, Layout, batchMode)};

// cublasLtMatmulDescAttributes_t.
constexpr AttributePlace kMultiplicationPlaces[] = {HEADROOM_PLACE(0, Multiplication, computeType),
    HEADROOM_PLACE(1, Multiplication, scaleType), HEADROOM_PLACE(2, Multiplication, pointerMode),
    HEADROOM_PLACE(3, Multiplication, transposeA), HEADROOM_PLACE(4, Multiplication, transposeB),
    HEADROOM_PLACE(5, Multiplication, transposeC), HEADROOM_PLACE(6, Multiplication, fillMode),
    HEADROOM_PLACE(7, Multiplication, epilogue), HEADROOM_PLACE(8, Multiplication, bias),
    HEADROOM_PLACE(10, Multiplication, biasStride), HEADROOM_PLACE(11, Multiplication, auxiliary),
    HEADROOM_PLACE(12, Multiplication, auxiliaryLeading), HEADROOM_PLACE(13, Multiplication, auxiliaryStride),
    HEADROOM_PLACE(14, Multiplication, alphaStride), HEADROOM_PLACE(15, Multiplication, multiprocessorTarget),
    HEADROOM_PLACE(17, Multiplication, scaleA), HEADROOM_PLACE(18, Multiplication, scaleB),
    HEADROOM_PLACE(19, Multiplication, scaleC), HEADROOM_PLACE(20, Multiplication, scaleD),
    HEADROOM_PLACE(21, Multiplication, greatestD), HEADROOM_PLACE(22, Multiplication, auxiliaryType),
    HEADROOM_PLACE(23, Multiplication, auxiliaryScale), HEADROOM_PLACE(24, Multiplication, auxiliaryGreatest),
    HEADROOM_PLACE(25, Multiplication, fastAccumulation), HEADROOM_PLACE(26, Multiplication, biasType),
    HEADROOM_PLACE(27, Multiplication, chunkRows), HEADROOM_PLACE(28, Multiplication, chunkColumns),
    HEADROOM_PLACE_IN(29, Multiplication, counters, 0), HEADROOM_PLACE_IN(30, Multiplication, counters, 1),
    {31, offsetof(Multiplication, scaleModes), 4}, {32, offsetof(Multiplication, scaleModes) + 1, 4},
    {33, offsetof(Multiplication, scaleModes) + 2, 4}, {34, offsetof(Multiplication, scaleModes) + 3, 4},
    {35, offsetof(Multiplication, scaleModes) + 4, 4}, HEADROOM_PLACE(36, Multiplication, scaleOutD),
    {37, offsetof(Multiplication, scaleModes) + 5, 4}};

// cublasLtMatmulPreferenceAttributes_t.
constexpr AttributePlace kPreferencePlaces[] = {HEADROOM_PLACE(0, Preference, searchMode),
    HEADROOM_PLACE(1, Preference, workspaceBytes), HEADROOM_PLACE(3, Preference, reductions),
    HEADROOM_PLACE_IN(5, Preference, alignments, 0), HEADROOM_PLACE_IN(6, Preference, alignments, 1),
    HEADROOM_PLACE_IN(7, Preference, alignments, 2), HEADROOM_PLACE_IN(8, Preference, alignments, 3),
    HEADROOM_PLACE(9, Preference, mostWaves), HEADROOM_PLACE(12, Preference, implementations)};

// cublasLtMatrixTransformDescAttributes_t.
constexpr AttributePlace kTransformationPlaces[] = {HEADROOM_PLACE(0, Transformation, scaleType),
    HEADROOM_PLACE(1, Transformation, pointerMode), HEADROOM_PLACE(2, Transformation, transposeA),
    HEADROOM_PLACE(3, Transformation, transposeB)};

// cublasLtMatmulAlgoConfigAttributes_t.
constexpr AttributePlace kAlgorithmPlaces[] = {HEADROOM_PLACE(0, Algorithm, id), HEADROOM_PLACE(1, Algorithm, tile),
    HEADROOM_PLACE(2, Algorithm, splits), HEADROOM_PLACE(3, Algorithm, reduction),
    HEADROOM_PLACE(4, Algorithm, swizzle), HEADROOM_PLACE(5, Algorithm, customOption),
    HEADROOM_PLACE(6, Algorithm, stages), HEADROOM_PLACE(7, Algorithm, innerShape),
    HEADROOM_PLACE(8, Algorithm, clusterShape)};

constexpr int kFirstScaleMode = 31;
constexpr int kLastScaleMode = 37;
constexpr int kScaleOutPointer = 36;

// The modes of scaling are enums of four bytes that are kept in one.
bool isScaleMode(int attribute)
{
    return attribute >= kFirstScaleMode && attribute <= kLastScaleMode && attribute != kScaleOutPointer;
}

template <typename Value> int create(void** place, const Value& value, std::size_t opaqueBytes)
{
    if (place == nullptr)
        return InvalidValue;
    void* memory = ::operator new(opaqueBytes, std::nothrow);
    if (memory == nullptr)
        return blas::AllocationFailed;
    *place = new (memory) Value(value);
    return Success;
}

template <typename Value> int initialise(void* place, const Value& value, std::size_t bytes)
{
    if (place == nullptr)
        return InvalidValue;
    if (bytes < sizeof(Value))
        return blas::AllocationFailed;
    std::memset(place, 0, bytes);
    new (place) Value(value);
    return Success;
}

int destroy(void* object)
{
    ::operator delete(object);
    return Success;
}

int statusOf(bool isDone)
{
    return isDone ? Success : InvalidValue;
}

Layout layoutOf(int type, std::uint64_t rows, std::uint64_t columns, std::int64_t leading)
{
    Layout layout;
    layout.type = static_cast<std::uint32_t>(type);
    layout.rows = rows;
    layout.columns = columns;
    layout.leading = leading;
    return layout;
}

Multiplication multiplicationOf(int compute, int scale)
{
    Multiplication multiplication;
    multiplication.computeType = compute;
    multiplication.scaleType = scale;
    return multiplication;
}

Transformation transformationOf(int scale)
{
    Transformation transformation;
    transformation.scaleType = scale;
    return transformation;
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

// A handle of cuBLAS serves as one of cuBLASLt: the documentation says so, and PyTorch casts it.
bool isLtHandle(const void* handle)
{
    return isHandleOf(handle, Library::CublasLt) || isHandleOf(handle, Library::Cublas);
}

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

HEADROOM_CARD_API int cublasLtMatrixLayoutCreate(
    void** layout, int type, std::uint64_t rows, std::uint64_t columns, std::int64_t leading)
{
    return create(layout, layoutOf(type, rows, columns, leading), 64);
}

HEADROOM_CARD_API int cublasLtMatrixLayoutInit_internal(
    void* layout, std::size_t bytes, int type, std::uint64_t rows, std::uint64_t columns, std::int64_t leading)
{
    return initialise(layout, layoutOf(type, rows, columns, leading), bytes);
}

HEADROOM_CARD_API int cublasLtMatrixLayoutDestroy(void* layout)
{
    return destroy(layout);
}

HEADROOM_CARD_API int cublasLtMatrixLayoutSetAttribute(
    void* layout, int attribute, const void* value, std::size_t bytes)
{
    return statusOf(setAttribute(kLayoutPlaces, layout, attribute, value, bytes));
}

HEADROOM_CARD_API int cublasLtMatrixLayoutGetAttribute(
    const void* layout, int attribute, void* value, std::size_t bytes, std::size_t* written)
{
    return statusOf(getAttribute(kLayoutPlaces, layout, attribute, value, bytes, written));
}

HEADROOM_CARD_API int cublasLtMatmulDescCreate(void** multiplication, int compute, int scale)
{
    return create(multiplication, multiplicationOf(compute, scale), 256);
}

HEADROOM_CARD_API int cublasLtMatmulDescInit_internal(void* multiplication, std::size_t bytes, int compute, int scale)
{
    return initialise(multiplication, multiplicationOf(compute, scale), bytes);
}

HEADROOM_CARD_API int cublasLtMatmulDescDestroy(void* multiplication)
{
    return destroy(multiplication);
}

HEADROOM_CARD_API int cublasLtMatmulDescSetAttribute(
    void* multiplication, int attribute, const void* value, std::size_t bytes)
{
    if (!isScaleMode(attribute))
        return statusOf(setAttribute(kMultiplicationPlaces, multiplication, attribute, value, bytes));
    std::int32_t mode = 0;
    if (multiplication == nullptr || value == nullptr || bytes != sizeof(mode))
        return InvalidValue;
    std::memcpy(&mode, value, sizeof(mode));
    const AttributePlace* place = placeOf(kMultiplicationPlaces, attribute);
    static_cast<std::int8_t*>(multiplication)[place->offset] = static_cast<std::int8_t>(mode);
    return Success;
}

HEADROOM_CARD_API int cublasLtMatmulDescGetAttribute(
    const void* multiplication, int attribute, void* value, std::size_t bytes, std::size_t* written)
{
    if (!isScaleMode(attribute))
        return statusOf(getAttribute(kMultiplicationPlaces, multiplication, attribute, value, bytes, written));
    if (multiplication == nullptr || (bytes != 0 && (value == nullptr || bytes < sizeof(std::int32_t)))
        || (bytes == 0 && written == nullptr))
        return InvalidValue;
    const AttributePlace* place = placeOf(kMultiplicationPlaces, attribute);
    const std::int32_t mode = static_cast<const std::int8_t*>(multiplication)[place->offset];
    if (bytes != 0)
        std::memcpy(value, &mode, sizeof(mode));
    if (written != nullptr)
        *written = sizeof(mode);
    return Success;
}

HEADROOM_CARD_API int cublasLtMatmulPreferenceCreate(void** preference)
{
    return create(preference, Preference{}, 64);
}

HEADROOM_CARD_API int cublasLtMatmulPreferenceInit_internal(void* preference, std::size_t bytes)
{
    return initialise(preference, Preference{}, bytes);
}

HEADROOM_CARD_API int cublasLtMatmulPreferenceDestroy(void* preference)
{
    return destroy(preference);
}

HEADROOM_CARD_API int cublasLtMatmulPreferenceSetAttribute(
    void* preference, int attribute, const void* value, std::size_t bytes)
{
    return statusOf(setAttribute(kPreferencePlaces, preference, attribute, value, bytes));
}

HEADROOM_CARD_API int cublasLtMatmulPreferenceGetAttribute(
    const void* preference, int attribute, void* value, std::size_t bytes, std::size_t* written)
{
    return statusOf(getAttribute(kPreferencePlaces, preference, attribute, value, bytes, written));
}

HEADROOM_CARD_API int cublasLtMatrixTransformDescCreate(void** transformation, int scale)
{
    return create(transformation, transformationOf(scale), 64);
}

HEADROOM_CARD_API int cublasLtMatrixTransformDescInit_internal(void* transformation, std::size_t bytes, int scale)
{
    return initialise(transformation, transformationOf(scale), bytes);
}

HEADROOM_CARD_API int cublasLtMatrixTransformDescDestroy(void* transformation)
{
    return destroy(transformation);
}

HEADROOM_CARD_API int cublasLtMatrixTransformDescSetAttribute(
    void* transformation, int attribute, const void* value, std::size_t bytes)
{
    return statusOf(setAttribute(kTransformationPlaces, transformation, attribute, value, bytes));
}

HEADROOM_CARD_API int cublasLtMatrixTransformDescGetAttribute(
    const void* transformation, int attribute, void* value, std::size_t bytes, std::size_t* written)
{
    return statusOf(getAttribute(kTransformationPlaces, transformation, attribute, value, bytes, written));
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
    return initialise(algorithm, Algorithm{}, 64);
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
