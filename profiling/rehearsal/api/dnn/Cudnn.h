// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/rehearsal/api/LibraryHandle.h"

#include <cstddef>
#include <cstdint>

namespace headroom::rehearsal::dnn {

/// What can go wrong. The numbers of cudnnStatus_t are others in cuDNN 8 and from 9 on: status() says that of the
/// version.
enum class Problem { None, NotInitialised, BadParameter, NotFinal, NotSupported, Internal, ExecutionFailed };

constexpr int kSuccess = 0;

int status(Problem problem);

/// Of cudnnCreate.
struct Handle : LibraryHandle {
    Handle()
        : LibraryHandle(Library::Cudnn)
    {
    }
};

inline Handle* handleOf(void* handle)
{
    return isHandleOf(handle, Library::Cudnn) ? static_cast<Handle*>(handle) : nullptr;
}

/// cudnnDataType_t.
enum DataType : int {
    Float = 0,
    Double = 1,
    Half = 2,
    Int8 = 3,
    Int32 = 4,
    UInt8 = 6,
    Brain = 9,
    Int64 = 10,
    Boolean = 11,
    E4M3 = 12,
    E5M2 = 13,
};

/// Of one element; 0 where the number is no type.
std::size_t elementBytes(int dataType);
/// The cudaDataType of the same numbers; -1 where there is none.
int cudaTypeOf(int dataType);

/// A kernel of the handle's stream.
int launchOn(void* handle, const char* name);

} // namespace headroom::rehearsal::dnn
