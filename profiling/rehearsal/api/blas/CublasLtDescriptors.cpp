// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/api/Attributes.h"
#include "profiling/rehearsal/api/Exported.h"
#include "profiling/rehearsal/api/blas/Cublas.h"
#include "profiling/rehearsal/api/blas/CublasLt.h"

#include <cstring>
#include <new>

// What products are described by: made, set, read back.
namespace headroom::rehearsal::blaslt {
namespace {

using blas::InvalidValue;
using blas::Success;

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

int descriptorStatus(bool isDone)
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

} // namespace
} // namespace headroom::rehearsal::blaslt

using namespace headroom::rehearsal;
using namespace headroom::rehearsal::blaslt;

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
    return descriptorStatus(setAttribute(kLayoutPlaces, layout, attribute, value, bytes));
}

HEADROOM_CARD_API int cublasLtMatrixLayoutGetAttribute(
    const void* layout, int attribute, void* value, std::size_t bytes, std::size_t* written)
{
    return descriptorStatus(getAttribute(kLayoutPlaces, layout, attribute, value, bytes, written));
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
        return descriptorStatus(setAttribute(kMultiplicationPlaces, multiplication, attribute, value, bytes));
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
        return descriptorStatus(getAttribute(kMultiplicationPlaces, multiplication, attribute, value, bytes, written));
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
    return descriptorStatus(setAttribute(kPreferencePlaces, preference, attribute, value, bytes));
}

HEADROOM_CARD_API int cublasLtMatmulPreferenceGetAttribute(
    const void* preference, int attribute, void* value, std::size_t bytes, std::size_t* written)
{
    return descriptorStatus(getAttribute(kPreferencePlaces, preference, attribute, value, bytes, written));
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
    return descriptorStatus(setAttribute(kTransformationPlaces, transformation, attribute, value, bytes));
}

HEADROOM_CARD_API int cublasLtMatrixTransformDescGetAttribute(
    const void* transformation, int attribute, void* value, std::size_t bytes, std::size_t* written)
{
    return descriptorStatus(getAttribute(kTransformationPlaces, transformation, attribute, value, bytes, written));
}
