// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/rehearsal/api/LibraryHandle.h"

#include <cstddef>
#include <cstdint>

namespace headroom::rehearsal::sparse {

/// cusparseStatus_t.
enum Status : int {
    Success = 0,
    NotInitialised = 1,
    AllocationFailed = 2,
    InvalidValue = 3,
    ArchitectureMismatch = 4,
    MappingError = 5,
    ExecutionFailed = 6,
    InternalError = 7,
    MatrixTypeNotSupported = 8,
    ZeroPivot = 9,
    NotSupported = 10,
    InsufficientResources = 11,
};

struct Handle : LibraryHandle {
    Handle()
        : LibraryHandle(Library::Cusparse)
    {
    }

    int pointerMode = 0;
};

inline Handle* handleOf(void* handle)
{
    return isHandleOf(handle, Library::Cusparse) ? static_cast<Handle*>(handle) : nullptr;
}

/// cusparseFormat_t.
enum Format : int { Csr = 1, Csc = 2, Coo = 3, Bsr = 6 };

struct SparseMatrix {
    int format = Csr;
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t nonZero = 0;
    const void* first = nullptr; ///< offsets, or the rows of a coordinate list
    const void* second = nullptr; ///< columns (rows of a matrix by columns)
    const void* values = nullptr;
    int firstType = 0;
    int secondType = 0;
    int indexBase = 0;
    int valueType = 0;
    int fillMode = 0;
    int diagonal = 0;
    int batch = 1;
    std::int64_t strides[2] = {0, 0};
};

struct DenseMatrix {
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t leading = 0;
    const void* values = nullptr;
    int valueType = 0;
    int order = 0;
    int batch = 1;
    std::int64_t stride = 0;
};

struct DenseVector {
    std::int64_t size = 0;
    const void* values = nullptr;
    int valueType = 0;
};

/// Of the older calls.
struct MatrixDescription {
    int type = 0;
    int fillMode = 0;
    int diagonal = 0;
    int indexBase = 0;
};

template <typename Object> int create(const Object& object, void** place)
{
    if (place == nullptr)
        return InvalidValue;
    *place = new Object(object);
    return Success;
}

template <typename Object> int destroy(const void* object)
{
    delete static_cast<const Object*>(object);
    return Success;
}

template <typename Object, typename Value, typename Given>
int setMember(void* object, Value Object::* member, Given value)
{
    if (object == nullptr)
        return InvalidValue;
    static_cast<Object*>(object)->*member = static_cast<Value>(value);
    return Success;
}

template <typename Object, typename Value> Value member(const void* object, Value Object::* place)
{
    return object == nullptr ? Value{} : static_cast<const Object*>(object)->*place;
}

} // namespace headroom::rehearsal::sparse
