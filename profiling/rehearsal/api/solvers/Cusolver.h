// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/rehearsal/api/LibraryHandle.h"
#include "profiling/rehearsal/api/solvers/CusolverSizes.h"

#include <cstddef>

namespace headroom::rehearsal::solver {

/// cusolverStatus_t.
enum Status : int {
    Success = 0,
    NotInitialised = 1,
    AllocationFailed = 2,
    InvalidValue = 3,
    ExecutionFailed = 6,
    NotSupported = 9,
};

struct Handle : LibraryHandle {
    Handle()
        : LibraryHandle(Library::Cusolver)
    {
    }

    int deterministicMode = 1;
};

/// Of the iterations by Jacobi's rotations, for singular values and for eigenvalues.
struct Iterations {
    double tolerance = 0;
    int mostSweeps = 100;
    int sorts = 1;
};

inline Handle* handleOf(void* handle)
{
    return isHandleOf(handle, Library::Cusolver) ? static_cast<Handle*>(handle) : nullptr;
}

/// Answers a size in elements, as an int: what does not fit wraps round, as it does in the real library.
int answerElements(void* handle, const char* function, const WorkSize& size, int elementBytes, int* elements);
/// Answers a size in elements of `dataType` in bytes, and none on the host.
int answerBytes(
    void* handle, const char* function, const WorkSize& size, int dataType, std::size_t* onDevice, std::size_t* onHost);
/// A computation that tells on the device how each of `batch` matrices went: well.
int compute(void* handle, const char* function, int* info, long long batch);

} // namespace headroom::rehearsal::solver
