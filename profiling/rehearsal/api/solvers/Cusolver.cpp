// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/api/solvers/Cusolver.h"

#include "profiling/rehearsal/Ledger.h"
#include "profiling/rehearsal/Product.h"
#include "profiling/rehearsal/api/Exported.h"
#include "profiling/rehearsal/api/LibraryVersions.h"

#include <cuda_runtime_api.h>

#include <cstdint>

namespace headroom::rehearsal::solver {
namespace {

void noteRest(const char* function, double bytes)
{
    if (bytes >= 1)
        noteNotCounted("cuSOLVER", function, 0, static_cast<std::size_t>(bytes));
}

template <typename Object> int create(void** place)
{
    if (place == nullptr)
        return InvalidValue;
    *place = new Object;
    return Success;
}

template <typename Object> int destroy(void* object)
{
    if (object == nullptr)
        return InvalidValue;
    delete static_cast<Object*>(object);
    return Success;
}

template <typename Value> int setIteration(void* iterations, Value Iterations::* member, Value value)
{
    if (iterations == nullptr)
        return InvalidValue;
    static_cast<Iterations*>(iterations)->*member = value;
    return Success;
}

// Nothing iterates: converged at once.
template <typename Value> int noIterations(void* handle, const void* iterations, Value* value)
{
    if (handleOf(handle) == nullptr)
        return NotInitialised;
    if (iterations == nullptr || value == nullptr)
        return InvalidValue;
    *value = 0;
    return Success;
}

struct Parameters {
    int algorithms[16] = {};
};

} // namespace

int answerElements(void* handle, const char* function, const WorkSize& size, int elementBytes, int* elements)
{
    if (handleOf(handle) == nullptr)
        return NotInitialised;
    if (elements == nullptr)
        return InvalidValue;
    *elements = static_cast<int>(static_cast<std::uint32_t>(static_cast<std::int64_t>(size.counted)));
    noteRest(function, (size.most - size.counted) * elementBytes);
    return Success;
}

int answerBytes(
    void* handle, const char* function, const WorkSize& size, int dataType, std::size_t* onDevice, std::size_t* onHost)
{
    if (handleOf(handle) == nullptr)
        return NotInitialised;
    const int bits = dataTypeBits(dataType);
    if (onDevice == nullptr || onHost == nullptr || bits == 0)
        return InvalidValue;
    *onDevice = static_cast<std::size_t>(size.counted * bits / 8);
    *onHost = 0;
    noteRest(function, (size.most - size.counted) * bits / 8);
    return Success;
}

int compute(void* handle, const char* function, int* info, long long batch)
{
    const Handle* own = handleOf(handle);
    if (own == nullptr)
        return NotInitialised;
    if (batch < 0)
        return InvalidValue;
    if (launchNamed(function, own->stream) != 0)
        return ExecutionFailed;
    if (info != nullptr && batch > 0)
        cudaMemsetAsync(info, 0, static_cast<std::size_t>(batch) * sizeof(int), own->stream);
    return Success;
}

} // namespace headroom::rehearsal::solver

using namespace headroom::rehearsal;
using namespace headroom::rehearsal::solver;

HEADROOM_CARD_API int cusolverGetVersion(int* version)
{
    if (version == nullptr)
        return solver::InvalidValue;
    *version = versionOf(Library::Cusolver).number(1000);
    return solver::Success;
}

HEADROOM_CARD_API int cusolverGetProperty(int property, int* value)
{
    return readProperty(Library::Cusolver, property, value) ? solver::Success : solver::InvalidValue;
}

HEADROOM_CARD_API int cusolverDnCreate(void** handle)
{
    if (handle == nullptr)
        return solver::InvalidValue;
    int device = 0;
    if (cudaGetDevice(&device) != cudaSuccess)
        return solver::NotInitialised;
    *handle = static_cast<LibraryHandle*>(new solver::Handle);
    return solver::Success;
}

HEADROOM_CARD_API int cusolverDnDestroy(void* handle)
{
    solver::Handle* own = solver::handleOf(handle);
    if (own == nullptr)
        return solver::NotInitialised;
    delete own;
    return solver::Success;
}

HEADROOM_CARD_API int cusolverDnSetStream(void* handle, CUstream_st* stream)
{
    solver::Handle* own = solver::handleOf(handle);
    if (own == nullptr)
        return solver::NotInitialised;
    own->stream = stream;
    return solver::Success;
}

HEADROOM_CARD_API int cusolverDnGetStream(void* handle, CUstream_st** stream)
{
    const solver::Handle* own = solver::handleOf(handle);
    if (own == nullptr)
        return solver::NotInitialised;
    if (stream == nullptr)
        return solver::InvalidValue;
    *stream = own->stream;
    return solver::Success;
}

HEADROOM_CARD_API int cusolverDnSetDeterministicMode(void* handle, int mode)
{
    solver::Handle* own = solver::handleOf(handle);
    if (own == nullptr)
        return solver::NotInitialised;
    own->deterministicMode = mode;
    return solver::Success;
}

HEADROOM_CARD_API int cusolverDnGetDeterministicMode(void* handle, int* mode)
{
    const solver::Handle* own = solver::handleOf(handle);
    if (own == nullptr)
        return solver::NotInitialised;
    if (mode == nullptr)
        return solver::InvalidValue;
    *mode = own->deterministicMode;
    return solver::Success;
}

HEADROOM_CARD_API int cusolverDnCreateParams(void** parameters)
{
    return solver::create<Parameters>(parameters);
}

HEADROOM_CARD_API int cusolverDnDestroyParams(void* parameters)
{
    return solver::destroy<Parameters>(parameters);
}

HEADROOM_CARD_API int cusolverDnSetAdvOptions(void* parameters, int function, int algorithm)
{
    if (parameters == nullptr || function < 0 || function >= 16)
        return solver::InvalidValue;
    static_cast<Parameters*>(parameters)->algorithms[function] = algorithm;
    return solver::Success;
}

HEADROOM_CARD_API int cusolverDnCreateGesvdjInfo(void** iterations)
{
    return solver::create<Iterations>(iterations);
}

HEADROOM_CARD_API int cusolverDnDestroyGesvdjInfo(void* iterations)
{
    return solver::destroy<Iterations>(iterations);
}

HEADROOM_CARD_API int cusolverDnCreateSyevjInfo(void** iterations)
{
    return solver::create<Iterations>(iterations);
}

HEADROOM_CARD_API int cusolverDnDestroySyevjInfo(void* iterations)
{
    return solver::destroy<Iterations>(iterations);
}

#define HEADROOM_ITERATIONS(KIND)                                                                                      \
    HEADROOM_CARD_API int cusolverDnX##KIND##SetTolerance(void* iterations, double tolerance)                          \
    {                                                                                                                  \
        return setIteration(iterations, &Iterations::tolerance, tolerance);                                            \
    }                                                                                                                  \
    HEADROOM_CARD_API int cusolverDnX##KIND##SetMaxSweeps(void* iterations, int sweeps)                                \
    {                                                                                                                  \
        return setIteration(iterations, &Iterations::mostSweeps, sweeps);                                              \
    }                                                                                                                  \
    HEADROOM_CARD_API int cusolverDnX##KIND##SetSortEig(void* iterations, int sorts)                                   \
    {                                                                                                                  \
        return setIteration(iterations, &Iterations::sorts, sorts);                                                    \
    }                                                                                                                  \
    HEADROOM_CARD_API int cusolverDnX##KIND##GetResidual(void* handle, const void* iterations, double* residual)       \
    {                                                                                                                  \
        return noIterations(handle, iterations, residual);                                                             \
    }                                                                                                                  \
    HEADROOM_CARD_API int cusolverDnX##KIND##GetSweeps(void* handle, const void* iterations, int* sweeps)              \
    {                                                                                                                  \
        return noIterations(handle, iterations, sweeps);                                                               \
    }
HEADROOM_ITERATIONS(gesvdj)
HEADROOM_ITERATIONS(syevj)
