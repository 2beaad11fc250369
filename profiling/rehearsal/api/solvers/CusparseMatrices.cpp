// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/api/Exported.h"
#include "profiling/rehearsal/api/solvers/Cusparse.h"

namespace headroom::rehearsal::sparse {
namespace {

template <typename Value, typename Given> void give(Value* place, Given value)
{
    if (place != nullptr)
        *place = static_cast<Value>(value);
}

void givePointer(void** place, const void* pointer)
{
    if (place != nullptr)
        *place = const_cast<void*>(pointer);
}

SparseMatrix matrixOf(int format, std::int64_t rows, std::int64_t columns, std::int64_t nonZero)
{
    SparseMatrix matrix;
    matrix.format = format;
    matrix.rows = rows;
    matrix.columns = columns;
    matrix.nonZero = nonZero;
    return matrix;
}

int createSparse(void** place, SparseMatrix matrix, const void* first, const void* second, const void* values,
    int firstType, int secondType, int indexBase, int valueType)
{
    if (matrix.rows < 0 || matrix.columns < 0 || matrix.nonZero < 0)
        return InvalidValue;
    matrix.first = first;
    matrix.second = second;
    matrix.values = values;
    matrix.firstType = firstType;
    matrix.secondType = secondType;
    matrix.indexBase = indexBase;
    matrix.valueType = valueType;
    return create(matrix, place);
}

int setPointers(void* matrix, const void* first, const void* second, const void* values)
{
    if (matrix == nullptr)
        return InvalidValue;
    auto& own = *static_cast<SparseMatrix*>(matrix);
    own.first = first;
    own.second = second;
    own.values = values;
    return Success;
}

int getCompressed(const void* matrix, std::int64_t* rows, std::int64_t* columns, std::int64_t* nonZero, void** first,
    void** second, void** values, int* firstType, int* secondType, int* indexBase, int* valueType)
{
    if (matrix == nullptr)
        return InvalidValue;
    const auto& own = *static_cast<const SparseMatrix*>(matrix);
    give(rows, own.rows);
    give(columns, own.columns);
    give(nonZero, own.nonZero);
    givePointer(first, own.first);
    givePointer(second, own.second);
    givePointer(values, own.values);
    give(firstType, own.firstType);
    give(secondType, own.secondType);
    give(indexBase, own.indexBase);
    give(valueType, own.valueType);
    return Success;
}

} // namespace
} // namespace headroom::rehearsal::sparse

using namespace headroom::rehearsal;
using namespace headroom::rehearsal::sparse;

// Dense vectors and matrices.
HEADROOM_CARD_API int cusparseCreateDnVec(void** vector, std::int64_t size, void* values, int valueType)
{
    return size < 0 ? int{sparse::InvalidValue} : sparse::create(DenseVector{size, values, valueType}, vector);
}

HEADROOM_CARD_API int cusparseCreateConstDnVec(void** vector, std::int64_t size, const void* values, int valueType)
{
    return size < 0 ? int{sparse::InvalidValue} : sparse::create(DenseVector{size, values, valueType}, vector);
}

HEADROOM_CARD_API int cusparseDestroyDnVec(const void* vector)
{
    return sparse::destroy<DenseVector>(vector);
}

HEADROOM_CARD_API int cusparseDnVecGet(const void* vector, std::int64_t* size, void** values, int* valueType)
{
    if (vector == nullptr)
        return sparse::InvalidValue;
    const auto& own = *static_cast<const DenseVector*>(vector);
    give(size, own.size);
    givePointer(values, own.values);
    give(valueType, own.valueType);
    return sparse::Success;
}

HEADROOM_CARD_API int cusparseDnVecSetValues(void* vector, void* values)
{
    return setMember(vector, &DenseVector::values, values);
}

HEADROOM_CARD_API int cusparseCreateDnMat(void** matrix, std::int64_t rows, std::int64_t columns, std::int64_t leading,
    const void* values, int valueType, int order)
{
    if (rows < 0 || columns < 0)
        return sparse::InvalidValue;
    return sparse::create(DenseMatrix{rows, columns, leading, values, valueType, order}, matrix);
}

HEADROOM_CARD_API int cusparseCreateConstDnMat(void** matrix, std::int64_t rows, std::int64_t columns,
    std::int64_t leading, const void* values, int valueType, int order)
{
    return cusparseCreateDnMat(matrix, rows, columns, leading, values, valueType, order);
}

HEADROOM_CARD_API int cusparseDestroyDnMat(const void* matrix)
{
    return sparse::destroy<DenseMatrix>(matrix);
}

HEADROOM_CARD_API int cusparseDnMatGet(const void* matrix, std::int64_t* rows, std::int64_t* columns,
    std::int64_t* leading, void** values, int* valueType, int* order)
{
    if (matrix == nullptr)
        return sparse::InvalidValue;
    const auto& own = *static_cast<const DenseMatrix*>(matrix);
    give(rows, own.rows);
    give(columns, own.columns);
    give(leading, own.leading);
    givePointer(values, own.values);
    give(valueType, own.valueType);
    give(order, own.order);
    return sparse::Success;
}

HEADROOM_CARD_API int cusparseDnMatSetValues(void* matrix, void* values)
{
    return setMember(matrix, &DenseMatrix::values, values);
}

HEADROOM_CARD_API int cusparseDnMatSetStridedBatch(void* matrix, int batch, std::int64_t stride)
{
    const int status = setMember(matrix, &DenseMatrix::batch, batch);
    return status == sparse::Success ? setMember(matrix, &DenseMatrix::stride, stride) : status;
}

HEADROOM_CARD_API int cusparseDnMatGetStridedBatch(const void* matrix, int* batch, std::int64_t* stride)
{
    if (matrix == nullptr)
        return sparse::InvalidValue;
    give(batch, member(matrix, &DenseMatrix::batch));
    give(stride, member(matrix, &DenseMatrix::stride));
    return sparse::Success;
}

// Sparse matrices.
HEADROOM_CARD_API int cusparseCreateCsr(void** matrix, std::int64_t rows, std::int64_t columns, std::int64_t nonZero,
    const void* offsets, const void* indices, const void* values, int offsetType, int indexType, int indexBase,
    int valueType)
{
    return createSparse(matrix, matrixOf(Csr, rows, columns, nonZero), offsets, indices, values, offsetType, indexType,
        indexBase, valueType);
}

HEADROOM_CARD_API int cusparseCreateConstCsr(void** matrix, std::int64_t rows, std::int64_t columns,
    std::int64_t nonZero, const void* offsets, const void* indices, const void* values, int offsetType, int indexType,
    int indexBase, int valueType)
{
    return cusparseCreateCsr(
        matrix, rows, columns, nonZero, offsets, indices, values, offsetType, indexType, indexBase, valueType);
}

HEADROOM_CARD_API int cusparseCreateCsc(void** matrix, std::int64_t rows, std::int64_t columns, std::int64_t nonZero,
    const void* offsets, const void* indices, const void* values, int offsetType, int indexType, int indexBase,
    int valueType)
{
    return createSparse(matrix, matrixOf(Csc, rows, columns, nonZero), offsets, indices, values, offsetType, indexType,
        indexBase, valueType);
}

HEADROOM_CARD_API int cusparseCreateConstCsc(void** matrix, std::int64_t rows, std::int64_t columns,
    std::int64_t nonZero, const void* offsets, const void* indices, const void* values, int offsetType, int indexType,
    int indexBase, int valueType)
{
    return cusparseCreateCsc(
        matrix, rows, columns, nonZero, offsets, indices, values, offsetType, indexType, indexBase, valueType);
}

HEADROOM_CARD_API int cusparseCreateCoo(void** matrix, std::int64_t rows, std::int64_t columns, std::int64_t nonZero,
    const void* rowIndices, const void* columnIndices, const void* values, int indexType, int indexBase, int valueType)
{
    return createSparse(matrix, matrixOf(Coo, rows, columns, nonZero), rowIndices, columnIndices, values, indexType,
        indexType, indexBase, valueType);
}

HEADROOM_CARD_API int cusparseCreateConstCoo(void** matrix, std::int64_t rows, std::int64_t columns,
    std::int64_t nonZero, const void* rowIndices, const void* columnIndices, const void* values, int indexType,
    int indexBase, int valueType)
{
    return cusparseCreateCoo(
        matrix, rows, columns, nonZero, rowIndices, columnIndices, values, indexType, indexBase, valueType);
}

HEADROOM_CARD_API int cusparseDestroySpMat(const void* matrix)
{
    return sparse::destroy<SparseMatrix>(matrix);
}

HEADROOM_CARD_API int cusparseCsrSetPointers(void* matrix, void* offsets, void* indices, void* values)
{
    return setPointers(matrix, offsets, indices, values);
}

HEADROOM_CARD_API int cusparseCscSetPointers(void* matrix, void* offsets, void* indices, void* values)
{
    return setPointers(matrix, offsets, indices, values);
}

HEADROOM_CARD_API int cusparseCooSetPointers(void* matrix, void* rowIndices, void* columnIndices, void* values)
{
    return setPointers(matrix, rowIndices, columnIndices, values);
}

HEADROOM_CARD_API int cusparseCsrGet(const void* matrix, std::int64_t* rows, std::int64_t* columns,
    std::int64_t* nonZero, void** offsets, void** indices, void** values, int* offsetType, int* indexType,
    int* indexBase, int* valueType)
{
    return getCompressed(
        matrix, rows, columns, nonZero, offsets, indices, values, offsetType, indexType, indexBase, valueType);
}

HEADROOM_CARD_API int cusparseCscGet(const void* matrix, std::int64_t* rows, std::int64_t* columns,
    std::int64_t* nonZero, void** offsets, void** indices, void** values, int* offsetType, int* indexType,
    int* indexBase, int* valueType)
{
    return getCompressed(
        matrix, rows, columns, nonZero, offsets, indices, values, offsetType, indexType, indexBase, valueType);
}

HEADROOM_CARD_API int cusparseCooGet(const void* matrix, std::int64_t* rows, std::int64_t* columns,
    std::int64_t* nonZero, void** rowIndices, void** columnIndices, void** values, int* indexType, int* indexBase,
    int* valueType)
{
    return getCompressed(
        matrix, rows, columns, nonZero, rowIndices, columnIndices, values, indexType, nullptr, indexBase, valueType);
}

HEADROOM_CARD_API int cusparseSpMatGetSize(
    const void* matrix, std::int64_t* rows, std::int64_t* columns, std::int64_t* nonZero)
{
    return getCompressed(matrix, rows, columns, nonZero, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
}

HEADROOM_CARD_API int cusparseSpMatGetFormat(const void* matrix, int* format)
{
    if (matrix == nullptr || format == nullptr)
        return sparse::InvalidValue;
    *format = member(matrix, &SparseMatrix::format);
    return sparse::Success;
}

HEADROOM_CARD_API int cusparseSpMatGetIndexBase(const void* matrix, int* indexBase)
{
    if (matrix == nullptr || indexBase == nullptr)
        return sparse::InvalidValue;
    *indexBase = member(matrix, &SparseMatrix::indexBase);
    return sparse::Success;
}

HEADROOM_CARD_API int cusparseSpMatGetValues(const void* matrix, void** values)
{
    if (matrix == nullptr || values == nullptr)
        return sparse::InvalidValue;
    givePointer(values, member(matrix, &SparseMatrix::values));
    return sparse::Success;
}

HEADROOM_CARD_API int cusparseSpMatSetValues(void* matrix, void* values)
{
    return setMember(matrix, &SparseMatrix::values, values);
}

// cusparseSpMatAttribute_t: 0 is the half that is filled, 1 the kind of diagonal.
HEADROOM_CARD_API int cusparseSpMatSetAttribute(void* matrix, int attribute, const void* value, std::size_t bytes)
{
    if (value == nullptr || bytes != sizeof(int) || attribute < 0 || attribute > 1)
        return sparse::InvalidValue;
    const int given = *static_cast<const int*>(value);
    return setMember(matrix, attribute == 0 ? &SparseMatrix::fillMode : &SparseMatrix::diagonal, given);
}

HEADROOM_CARD_API int cusparseSpMatGetAttribute(const void* matrix, int attribute, void* value, std::size_t bytes)
{
    if (matrix == nullptr || value == nullptr || bytes != sizeof(int) || attribute < 0 || attribute > 1)
        return sparse::InvalidValue;
    *static_cast<int*>(value) = member(matrix, attribute == 0 ? &SparseMatrix::fillMode : &SparseMatrix::diagonal);
    return sparse::Success;
}

HEADROOM_CARD_API int cusparseCsrSetStridedBatch(
    void* matrix, int batch, std::int64_t offsetsStride, std::int64_t valuesStride)
{
    if (matrix == nullptr || batch < 1)
        return sparse::InvalidValue;
    auto& own = *static_cast<SparseMatrix*>(matrix);
    own.batch = batch;
    own.strides[0] = offsetsStride;
    own.strides[1] = valuesStride;
    return sparse::Success;
}

HEADROOM_CARD_API int cusparseCooSetStridedBatch(void* matrix, int batch, std::int64_t stride)
{
    return cusparseCsrSetStridedBatch(matrix, batch, stride, stride);
}

HEADROOM_CARD_API int cusparseSpMatGetStridedBatch(const void* matrix, int* batch)
{
    if (matrix == nullptr || batch == nullptr)
        return sparse::InvalidValue;
    *batch = member(matrix, &SparseMatrix::batch);
    return sparse::Success;
}
