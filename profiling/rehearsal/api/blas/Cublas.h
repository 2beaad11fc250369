// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/rehearsal/api/LibraryHandle.h"

#include <cstddef>
#include <cstdint>

namespace headroom::rehearsal::blas {

/// cublasStatus_t, which cuBLASLt shares.
enum Status : int {
    Success = 0,
    NotInitialised = 1,
    AllocationFailed = 3,
    InvalidValue = 7,
    ArchitectureMismatch = 8,
    MappingError = 11,
    ExecutionFailed = 13,
    InternalError = 14,
    NotSupported = 15,
    LicenceError = 16,
};

/// cublasComputeType_t, as far as calls without such an argument imply one.
enum Compute : int { Compute16F = 64, Compute32F = 68, Compute64F = 70, Compute32I = 72 };

/// cudaDataType.
enum Type : int {
    F32 = 0,
    F64 = 1,
    F16 = 2,
    I8 = 3,
    C64 = 4,
    C128 = 5,
    I32 = 10,
    BF16 = 14,
    E4M3 = 28,
    E5M2 = 29,
    E2M1 = 33,
};

constexpr int kHostPointers = 0;
constexpr int kDevicePointers = 1;

/// Of cublasCreate. It has the workspace that it was given, if any; none is allocated here: what cuBLAS takes by itself
/// is part of the context.
struct Handle : LibraryHandle {
    Handle()
        : LibraryHandle(Library::Cublas)
    {
    }

    void* workspace = nullptr;
    std::size_t workspaceBytes = 0;
    int pointerMode = kHostPointers;
    int atomicsMode = 0;
    int mathMode = 0;
    int multiprocessorTarget = 0;
    int emulationStrategy = 0;
    int emulationSpecialValues = 0xFFFF;
    int mantissaControl = 0;
    int mantissaBits = 0;
    int mantissaOffset = 0;
    int* mantissaBitsPointer = nullptr;
};

inline Handle* handleOf(void* handle)
{
    return isHandleOf(handle, Library::Cublas) ? static_cast<Handle*>(handle) : nullptr;
}

inline bool isOperation(int operation)
{
    return operation >= 0 && operation <= 3; // none, transposed, conjugated and transposed, conjugated
}

inline bool isTransposed(int operation)
{
    return operation == 1 || operation == 2;
}

/// Of a launch, whose status is one of the runtime.
inline int launchStatus(int error)
{
    return error == 0 ? Success : ExecutionFailed;
}

const char* statusName(int status);
const char* statusText(int status);

} // namespace headroom::rehearsal::blas
