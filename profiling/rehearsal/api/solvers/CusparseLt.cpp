// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/Card.h"
#include "profiling/rehearsal/Devices.h"
#include "profiling/rehearsal/Ledger.h"
#include "profiling/rehearsal/Product.h"
#include "profiling/rehearsal/api/Attributes.h"
#include "profiling/rehearsal/api/Exported.h"
#include "profiling/rehearsal/api/LibraryVersions.h"
#include "profiling/rehearsal/api/solvers/Cusparse.h"

#include <cstring>
#include <type_traits>

/// Products with a matrix of which two in four elements are zero. The library's objects lie in memory of the caller, of
/// at least 512 bytes in every version; the values here take less.
namespace headroom::rehearsal::sparselt {
namespace {

using sparse::ExecutionFailed;
using sparse::InvalidValue;
using sparse::NotInitialised;
using sparse::NotSupported;
using sparse::Success;

struct Handle {
    unsigned magic = kMagic;
    static constexpr unsigned kMagic = 0x73704c74;
};

struct Matrix {
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t leading = 0;
    int valueType = 0;
    int order = 0;
    bool isStructured = false;
    AttributeValues attributes;
};

/// What of the matrices a product needs: callers may end their descriptions before.
struct Multiplication {
    int operationA = 0;
    int operationB = 0;
    int computeType = 0;
    int typeA = 0;
    int typeB = 0;
    int typeD = 0;
    std::int64_t m = 0;
    std::int64_t n = 0;
    std::int64_t k = 0;
    std::int64_t sparseElements = 0;
    int sparseType = 0;
    AttributeValues attributes;
};

struct Algorithm {
    int algorithm = 0;
    AttributeValues attributes;
};

struct Plan {
    Multiplication multiplication;
};

int done(bool isDone)
{
    return isDone ? Success : InvalidValue;
}

template <typename Object> int place(void* memory, const Object& object)
{
    static_assert(sizeof(Object) <= 512 && std::is_trivially_copyable_v<Object>);
    if (memory == nullptr)
        return InvalidValue;
    std::memcpy(memory, &object, sizeof(object));
    return Success;
}

bool isHandle(const void* handle)
{
    return handle != nullptr && static_cast<const Handle*>(handle)->magic == Handle::kMagic;
}

constexpr int kBatches = 0; // CUSPARSELT_MAT_NUM_BATCHES
constexpr int kMostAlgorithm = 1; // CUSPARSELT_MATMUL_ALG_CONFIG_MAX_ID
constexpr int kSplits = 3; // CUSPARSELT_MATMUL_SPLIT_K

int initialiseMatrix(const void* handle, void* memory, std::int64_t rows, std::int64_t columns, std::int64_t leading,
    int valueType, int order, bool isStructured)
{
    if (!isHandle(handle))
        return NotInitialised;
    if (rows < 1 || columns < 1 || leading < 1)
        return InvalidValue;
    Matrix matrix{rows, columns, leading, valueType, order, isStructured, {}};
    constexpr int kOne = 1;
    matrix.attributes.set(kBatches, &kOne, sizeof(kOne));
    return place(memory, matrix);
}

/// Half of the values, and two bits for each of them that say where it was.
std::size_t compressedBytes(std::int64_t elements, int valueType)
{
    const auto kept = static_cast<std::size_t>(elements) / 2;
    return kept * static_cast<std::size_t>(dataTypeBits(valueType)) / 8 + kept / 4;
}

int answerCompressed(
    const void* handle, std::int64_t elements, int valueType, std::size_t* bytes, std::size_t* bufferBytes)
{
    if (!isHandle(handle))
        return NotInitialised;
    if (bytes == nullptr)
        return InvalidValue;
    *bytes = compressedBytes(elements, valueType);
    if (bufferBytes != nullptr)
        *bufferBytes = 0;
    noteNotCounted("cuSPARSELt", "cusparseLtSpMMACompressedSize", 0, *bytes);
    return Success;
}

int launchOn(const void* handle, const char* name, CUstream_st* stream)
{
    if (!isHandle(handle))
        return NotInitialised;
    return launchNamed(name, stream) == 0 ? Success : ExecutionFailed;
}

int multiply(const void* handle, const void* plan, CUstream_st* const* streams, int streamCount)
{
    if (!isHandle(handle))
        return NotInitialised;
    if (plan == nullptr)
        return InvalidValue;
    const Multiplication& of = static_cast<const Plan*>(plan)->multiplication;
    Product product;
    product.m = of.m;
    product.n = of.n;
    product.k = of.k;
    product.typeA = of.typeA;
    product.typeB = of.typeB;
    product.typeC = of.typeD;
    product.transposedA = of.operationA != 0;
    product.transposedB = of.operationB != 0;
    CUstream_st* stream = streams != nullptr && streamCount > 0 ? streams[0] : nullptr;
    return launchProduct("sparse_gemm", product, stream) == 0 ? Success : ExecutionFailed;
}

} // namespace
} // namespace headroom::rehearsal::sparselt

using namespace headroom::rehearsal;
using namespace headroom::rehearsal::sparselt;

HEADROOM_CARD_API int cusparseLtInit(void* handle)
{
    if (deviceCount() == 0)
        return sparselt::NotInitialised;
    constexpr int kFirstWithSparsity = 8;
    return card().capabilityMajor < kFirstWithSparsity ? int{sparselt::NotSupported}
                                                       : sparselt::place(handle, sparselt::Handle{});
}

HEADROOM_CARD_API int cusparseLtDestroy(const void* handle)
{
    return sparselt::isHandle(handle) ? sparselt::Success : sparselt::NotInitialised;
}

HEADROOM_CARD_API int cusparseLtGetVersion(const void* handle, int* version)
{
    if (!sparselt::isHandle(handle))
        return sparselt::NotInitialised;
    if (version == nullptr)
        return sparselt::InvalidValue;
    *version = versionOf(Library::CusparseLt).number(1000);
    return sparselt::Success;
}

HEADROOM_CARD_API int cusparseLtGetProperty(int property, int* value)
{
    return readProperty(Library::CusparseLt, property, value) ? sparselt::Success : sparselt::InvalidValue;
}

HEADROOM_CARD_API const char* cusparseLtGetErrorName(int status)
{
    return status == sparselt::Success ? "CUSPARSE_STATUS_SUCCESS" : "CUSPARSE_STATUS_NOT_SUPPORTED";
}

HEADROOM_CARD_API const char* cusparseLtGetErrorString(int status)
{
    return status == sparselt::Success ? "success" : "operation not supported";
}

HEADROOM_CARD_API int cusparseLtDenseDescriptorInit(const void* handle, void* matrix, std::int64_t rows,
    std::int64_t columns, std::int64_t leading, unsigned, int valueType, int order)
{
    return initialiseMatrix(handle, matrix, rows, columns, leading, valueType, order, false);
}

HEADROOM_CARD_API int cusparseLtStructuredDescriptorInit(const void* handle, void* matrix, std::int64_t rows,
    std::int64_t columns, std::int64_t leading, unsigned, int valueType, int order, int)
{
    return initialiseMatrix(handle, matrix, rows, columns, leading, valueType, order, true);
}

HEADROOM_CARD_API int cusparseLtMatDescriptorDestroy(const void*)
{
    return sparselt::Success;
}

HEADROOM_CARD_API int cusparseLtMatDescSetAttribute(
    const void* handle, void* matrix, int attribute, const void* value, std::size_t bytes)
{
    if (!sparselt::isHandle(handle))
        return sparselt::NotInitialised;
    return matrix == nullptr ? int{sparselt::InvalidValue}
                             : done(static_cast<Matrix*>(matrix)->attributes.set(attribute, value, bytes));
}

HEADROOM_CARD_API int cusparseLtMatDescGetAttribute(
    const void* handle, const void* matrix, int attribute, void* value, std::size_t bytes)
{
    if (!sparselt::isHandle(handle))
        return sparselt::NotInitialised;
    return matrix == nullptr ? int{sparselt::InvalidValue}
                             : done(static_cast<const Matrix*>(matrix)->attributes.get(attribute, value, bytes));
}

HEADROOM_CARD_API int cusparseLtMatmulDescriptorInit(const void* handle, void* multiplication, int operationA,
    int operationB, const void* a, const void* b, const void*, const void* d, int computeType)
{
    if (!sparselt::isHandle(handle))
        return sparselt::NotInitialised;
    if (a == nullptr || b == nullptr || d == nullptr)
        return sparselt::InvalidValue;
    const auto& matrixA = *static_cast<const Matrix*>(a);
    const auto& matrixB = *static_cast<const Matrix*>(b);
    const auto& matrixD = *static_cast<const Matrix*>(d);
    if (matrixA.isStructured == matrixB.isStructured)
        return sparselt::NotSupported;
    const Matrix& structured = matrixA.isStructured ? matrixA : matrixB;
    sparselt::Multiplication of;
    of.operationA = operationA;
    of.operationB = operationB;
    of.computeType = computeType;
    of.typeA = matrixA.valueType;
    of.typeB = matrixB.valueType;
    of.typeD = matrixD.valueType;
    of.m = matrixD.rows;
    of.n = matrixD.columns;
    of.k = operationA == 0 ? matrixA.columns : matrixA.rows;
    of.sparseElements = structured.rows * structured.columns;
    of.sparseType = structured.valueType;
    return sparselt::place(multiplication, of);
}

HEADROOM_CARD_API int cusparseLtMatmulDescSetAttribute(
    const void* handle, void* multiplication, int attribute, const void* value, std::size_t bytes)
{
    if (!sparselt::isHandle(handle))
        return sparselt::NotInitialised;
    return multiplication == nullptr
        ? int{sparselt::InvalidValue}
        : done(static_cast<sparselt::Multiplication*>(multiplication)->attributes.set(attribute, value, bytes));
}

HEADROOM_CARD_API int cusparseLtMatmulDescGetAttribute(
    const void* handle, const void* multiplication, int attribute, void* value, std::size_t bytes)
{
    if (!sparselt::isHandle(handle))
        return sparselt::NotInitialised;
    return multiplication == nullptr
        ? int{sparselt::InvalidValue}
        : done(static_cast<const sparselt::Multiplication*>(multiplication)->attributes.get(attribute, value, bytes));
}

HEADROOM_CARD_API int cusparseLtMatmulAlgSelectionInit(const void* handle, void* selection, const void*, int algorithm)
{
    if (!sparselt::isHandle(handle))
        return sparselt::NotInitialised;
    sparselt::Algorithm chosen{algorithm, {}};
    constexpr int kOne = 1;
    chosen.attributes.set(kMostAlgorithm, &kOne, sizeof(kOne));
    chosen.attributes.set(kSplits, &kOne, sizeof(kOne));
    return sparselt::place(selection, chosen);
}

HEADROOM_CARD_API int cusparseLtMatmulAlgSelectionDestroy(const void*)
{
    return sparselt::Success;
}

HEADROOM_CARD_API int cusparseLtMatmulAlgSetAttribute(
    const void* handle, void* selection, int attribute, const void* value, std::size_t bytes)
{
    if (!sparselt::isHandle(handle))
        return sparselt::NotInitialised;
    if (selection == nullptr || attribute == kMostAlgorithm)
        return sparselt::InvalidValue;
    return done(static_cast<sparselt::Algorithm*>(selection)->attributes.set(attribute, value, bytes));
}

HEADROOM_CARD_API int cusparseLtMatmulAlgGetAttribute(
    const void* handle, const void* selection, int attribute, void* value, std::size_t bytes)
{
    if (!sparselt::isHandle(handle))
        return sparselt::NotInitialised;
    return selection == nullptr
        ? int{sparselt::InvalidValue}
        : done(static_cast<const sparselt::Algorithm*>(selection)->attributes.get(attribute, value, bytes));
}

HEADROOM_CARD_API int cusparseLtMatmulPlanInit(
    const void* handle, void* plan, const void* multiplication, const void* selection)
{
    if (!sparselt::isHandle(handle))
        return sparselt::NotInitialised;
    if (multiplication == nullptr || selection == nullptr)
        return sparselt::InvalidValue;
    return sparselt::place(plan, sparselt::Plan{*static_cast<const sparselt::Multiplication*>(multiplication)});
}

HEADROOM_CARD_API int cusparseLtMatmulPlanDestroy(const void*)
{
    return sparselt::Success;
}

// What the chosen kernel needs to split the depth is not published: up to one copy of the result in single precision.
HEADROOM_CARD_API int cusparseLtMatmulGetWorkspace(const void* handle, const void* plan, std::size_t* bytes)
{
    if (!sparselt::isHandle(handle))
        return sparselt::NotInitialised;
    if (plan == nullptr || bytes == nullptr)
        return sparselt::InvalidValue;
    const sparselt::Multiplication& of = static_cast<const sparselt::Plan*>(plan)->multiplication;
    *bytes = 0;
    noteNotCounted("cuSPARSELt", "cusparseLtMatmulGetWorkspace", 0, static_cast<std::size_t>(of.m * of.n) * 4);
    return sparselt::Success;
}

HEADROOM_CARD_API int cusparseLtMatmul(const void* handle, const void* plan, const void*, const void*, const void*,
    const void*, const void*, void*, void*, CUstream_st* const* streams, int streamCount)
{
    return multiply(handle, plan, streams, streamCount);
}

HEADROOM_CARD_API int cusparseLtMatmulSearch(const void* handle, void* plan, const void*, const void*, const void*,
    const void*, const void*, void*, void*, CUstream_st* const* streams, int streamCount)
{
    return multiply(handle, plan, streams, streamCount);
}

HEADROOM_CARD_API int cusparseLtSpMMAPrune(
    const void* handle, const void*, const void*, void*, int, CUstream_st* stream)
{
    return launchOn(handle, "cusparseLtSpMMAPrune", stream);
}

HEADROOM_CARD_API int cusparseLtSpMMAPrune2(
    const void* handle, const void*, int, int, const void*, void*, int, CUstream_st* stream)
{
    return launchOn(handle, "cusparseLtSpMMAPrune2", stream);
}

HEADROOM_CARD_API int cusparseLtSpMMACompressedSize(
    const void* handle, const void* plan, std::size_t* bytes, std::size_t* bufferBytes)
{
    if (plan == nullptr)
        return sparselt::InvalidValue;
    const sparselt::Multiplication& of = static_cast<const sparselt::Plan*>(plan)->multiplication;
    return answerCompressed(handle, of.sparseElements, of.sparseType, bytes, bufferBytes);
}

HEADROOM_CARD_API int cusparseLtSpMMACompressedSize2(
    const void* handle, const void* matrix, std::size_t* bytes, std::size_t* bufferBytes)
{
    if (matrix == nullptr)
        return sparselt::InvalidValue;
    const auto& of = *static_cast<const Matrix*>(matrix);
    return answerCompressed(handle, of.rows * of.columns, of.valueType, bytes, bufferBytes);
}

HEADROOM_CARD_API int cusparseLtSpMMACompress(
    const void* handle, const void*, const void*, void*, void*, CUstream_st* stream)
{
    return launchOn(handle, "cusparseLtSpMMACompress", stream);
}

HEADROOM_CARD_API int cusparseLtSpMMACompress2(
    const void* handle, const void*, int, int, const void*, void*, void*, CUstream_st* stream)
{
    return launchOn(handle, "cusparseLtSpMMACompress2", stream);
}
