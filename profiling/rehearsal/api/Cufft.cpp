// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/Ledger.h"
#include "profiling/rehearsal/Lock.h"
#include "profiling/rehearsal/Product.h"
#include "profiling/rehearsal/api/CufftSizes.h"
#include "profiling/rehearsal/api/Exported.h"
#include "profiling/rehearsal/api/LibraryHandle.h"
#include "profiling/rehearsal/api/LibraryVersions.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace headroom::rehearsal::fft {
namespace {

// cufftResult.
enum Result : int {
    Success = 0,
    InvalidPlan = 1,
    AllocationFailed = 2,
    InvalidType = 3,
    InvalidValue = 4,
    ExecutionFailed = 6,
    InvalidSize = 8,
    NotSupported = 16,
};

struct Plan {
    bool isMade = false;
    Shape shape;
    CUstream_st* stream = nullptr;
    bool allocatesItself = true;
    std::size_t workBytes = 0;
    void* ownWork = nullptr;
    long long patientCompilation = 0;
};

constinit Lock plansLock;
int s_lastPlan = 0;

std::map<int, Plan>& plans()
{
    static auto* s_plans = new std::map<int, Plan>;
    return *s_plans;
}

Plan* planOf(int handle)
{
    const auto found = plans().find(handle);
    return found == plans().end() ? nullptr : &found->second;
}

int measure(Shape shape, int type, std::size_t* workBytes)
{
    if (workBytes == nullptr)
        return InvalidValue;
    if (!readType(type, shape))
        return InvalidType;
    if (!isShape(shape))
        return InvalidSize;
    *workBytes = workAreaOf(shape).bytes;
    return Success;
}

int makeOf(Plan& plan, Shape shape, std::size_t* workBytes)
{
    if (!isShape(shape))
        return InvalidSize;
    const WorkArea area = workAreaOf(shape);
    if (plan.allocatesItself && area.bytes > 0 && cudaMalloc(&plan.ownWork, area.bytes) != cudaSuccess)
        return AllocationFailed;
    plan.isMade = true;
    plan.shape = std::move(shape);
    plan.workBytes = area.bytes;
    if (workBytes != nullptr)
        *workBytes = area.bytes;
    if (area.mostBytes > area.bytes)
        noteNotCounted("cuFFT", "cufftMakePlanMany", 0, area.mostBytes - area.bytes);
    return Success;
}

int make(int handle, Shape shape, std::size_t* workBytes)
{
    const LockScope scope(plansLock);
    Plan* plan = planOf(handle);
    if (plan == nullptr || plan->isMade)
        return InvalidPlan;
    return makeOf(*plan, std::move(shape), workBytes);
}

int makeTyped(int handle, Shape shape, int type, std::size_t* workBytes)
{
    if (!readType(type, shape))
        return InvalidType;
    return make(handle, std::move(shape), workBytes);
}

int create(int* handle)
{
    if (handle == nullptr)
        return InvalidValue;
    const LockScope scope(plansLock);
    *handle = ++s_lastPlan;
    plans()[*handle] = Plan{};
    return Success;
}

int destroy(int handle)
{
    const LockScope scope(plansLock);
    Plan* plan = planOf(handle);
    if (plan == nullptr)
        return InvalidPlan;
    if (plan->ownWork != nullptr)
        cudaFree(plan->ownWork);
    plans().erase(handle);
    return Success;
}

int createMade(int* handle, const Shape& shape, int type)
{
    if (const int result = create(handle); result != Success)
        return result;
    const int result = makeTyped(*handle, shape, type, nullptr);
    if (result != Success)
        destroy(*handle);
    return result;
}

int transform(int handle, const void* input, const void* output, const char* name)
{
    CUstream_st* stream = nullptr;
    {
        const LockScope scope(plansLock);
        const Plan* plan = planOf(handle);
        if (plan == nullptr || !plan->isMade)
            return InvalidPlan;
        stream = plan->stream;
    }
    if (input == nullptr || output == nullptr)
        return InvalidValue;
    return launchNamed(name, stream) == 0 ? Success : ExecutionFailed;
}

template <typename Value> int store(int handle, Value Plan::* member, Value value)
{
    const LockScope scope(plansLock);
    Plan* plan = planOf(handle);
    if (plan == nullptr)
        return InvalidPlan;
    plan->*member = value;
    return Success;
}

template <typename Value, typename Place> int readBack(int handle, Value Plan::* member, Place* place)
{
    const LockScope scope(plansLock);
    const Plan* plan = planOf(handle);
    if (plan == nullptr)
        return InvalidPlan;
    if (place == nullptr)
        return InvalidValue;
    *place = plan->*member;
    return Success;
}

constexpr int kPatientCompilation = 1; // NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT, the only property

} // namespace
} // namespace headroom::rehearsal::fft

using namespace headroom::rehearsal;
using namespace headroom::rehearsal::fft;

HEADROOM_CARD_API int cufftGetVersion(int* version)
{
    if (version == nullptr)
        return fft::InvalidValue;
    *version = versionOf(Library::Cufft).number(1000);
    return fft::Success;
}

HEADROOM_CARD_API int cufftGetProperty(int property, int* value)
{
    return readProperty(Library::Cufft, property, value) ? fft::Success : fft::InvalidValue;
}

HEADROOM_CARD_API int cufftCreate(int* plan)
{
    return fft::create(plan);
}

HEADROOM_CARD_API int cufftDestroy(int plan)
{
    return fft::destroy(plan);
}

HEADROOM_CARD_API int cufftSetStream(int plan, CUstream_st* stream)
{
    return store(plan, &Plan::stream, stream);
}

HEADROOM_CARD_API int cufftSetAutoAllocation(int plan, int automatic)
{
    return store(plan, &Plan::allocatesItself, automatic != 0);
}

HEADROOM_CARD_API int cufftSetWorkArea(int plan, void*)
{
    const LockScope scope(plansLock);
    Plan* own = planOf(plan);
    if (own == nullptr)
        return InvalidPlan;
    if (own->ownWork != nullptr)
        cudaFree(own->ownWork);
    own->ownWork = nullptr;
    return fft::Success;
}

HEADROOM_CARD_API int cufftGetSize(int plan, std::size_t* workBytes)
{
    return readBack(plan, &Plan::workBytes, workBytes);
}

HEADROOM_CARD_API int cufftSetPlanPropertyInt64(int plan, int property, long long value)
{
    return property == kPatientCompilation ? store(plan, &Plan::patientCompilation, value) : fft::InvalidValue;
}

HEADROOM_CARD_API int cufftGetPlanPropertyInt64(int plan, int property, long long* value)
{
    return property == kPatientCompilation ? readBack(plan, &Plan::patientCompilation, value) : fft::InvalidValue;
}

HEADROOM_CARD_API int cufftResetPlanProperty(int plan, int property)
{
    return cufftSetPlanPropertyInt64(plan, property, 0);
}

HEADROOM_CARD_API int cufftPlan1d(int* plan, int x, int type, int batch)
{
    return createMade(plan, {{x}, batch}, type);
}

HEADROOM_CARD_API int cufftPlan2d(int* plan, int x, int y, int type)
{
    return createMade(plan, {{x, y}}, type);
}

HEADROOM_CARD_API int cufftPlan3d(int* plan, int x, int y, int z, int type)
{
    return createMade(plan, {{x, y, z}}, type);
}

HEADROOM_CARD_API int cufftPlanMany(
    int* plan, int rank, int* extents, int*, int, int, int*, int, int, int type, int batch)
{
    return createMade(plan, shapeOf(rank, extents, batch), type);
}

HEADROOM_CARD_API int cufftMakePlan1d(int plan, int x, int type, int batch, std::size_t* workBytes)
{
    return makeTyped(plan, {{x}, batch}, type, workBytes);
}

HEADROOM_CARD_API int cufftMakePlan2d(int plan, int x, int y, int type, std::size_t* workBytes)
{
    return makeTyped(plan, {{x, y}}, type, workBytes);
}

HEADROOM_CARD_API int cufftMakePlan3d(int plan, int x, int y, int z, int type, std::size_t* workBytes)
{
    return makeTyped(plan, {{x, y, z}}, type, workBytes);
}

HEADROOM_CARD_API int cufftMakePlanMany(
    int plan, int rank, int* extents, int*, int, int, int*, int, int, int type, int batch, std::size_t* workBytes)
{
    return makeTyped(plan, shapeOf(rank, extents, batch), type, workBytes);
}

HEADROOM_CARD_API int cufftMakePlanMany64(int plan, int rank, long long* extents, long long*, long long, long long,
    long long*, long long, long long, int type, long long batch, std::size_t* workBytes)
{
    return makeTyped(plan, shapeOf(rank, extents, batch), type, workBytes);
}

// The types are cudaDataType's: of the input, of the output, of the computation.
HEADROOM_CARD_API int cufftXtMakePlanMany(int plan, int rank, long long* extents, long long*, long long, long long,
    int inputType, long long*, long long, long long, int outputType, long long batch, std::size_t* workBytes, int)
{
    Shape shape = shapeOf(rank, extents, batch);
    const int bits = std::max(dataTypeBits(inputType), dataTypeBits(outputType));
    if (bits == 0)
        return InvalidType;
    shape.complexBytes = static_cast<std::size_t>(bits) / 8;
    shape.isReal = inputType != outputType;
    return make(plan, std::move(shape), workBytes);
}

HEADROOM_CARD_API int cufftXtGetSizeMany(int plan, int rank, long long* extents, long long*, long long, long long,
    int inputType, long long*, long long, long long, int outputType, long long batch, std::size_t* workBytes, int)
{
    Shape shape = shapeOf(rank, extents, batch);
    const int bits = std::max(dataTypeBits(inputType), dataTypeBits(outputType));
    if (workBytes == nullptr || bits == 0 || !isShape(shape))
        return fft::InvalidValue;
    static_cast<void>(plan);
    shape.complexBytes = static_cast<std::size_t>(bits) / 8;
    shape.isReal = inputType != outputType;
    *workBytes = workAreaOf(shape).bytes;
    return fft::Success;
}

HEADROOM_CARD_API int cufftEstimate1d(int x, int type, int batch, std::size_t* workBytes)
{
    return measure({{x}, batch}, type, workBytes);
}

HEADROOM_CARD_API int cufftEstimate2d(int x, int y, int type, std::size_t* workBytes)
{
    return measure({{x, y}}, type, workBytes);
}

HEADROOM_CARD_API int cufftEstimate3d(int x, int y, int z, int type, std::size_t* workBytes)
{
    return measure({{x, y, z}}, type, workBytes);
}

HEADROOM_CARD_API int cufftEstimateMany(
    int rank, int* extents, int*, int, int, int*, int, int, int type, int batch, std::size_t* workBytes)
{
    return measure(shapeOf(rank, extents, batch), type, workBytes);
}

HEADROOM_CARD_API int cufftGetSize1d(int, int x, int type, int batch, std::size_t* workBytes)
{
    return measure({{x}, batch}, type, workBytes);
}

HEADROOM_CARD_API int cufftGetSize2d(int, int x, int y, int type, std::size_t* workBytes)
{
    return measure({{x, y}}, type, workBytes);
}

HEADROOM_CARD_API int cufftGetSize3d(int, int x, int y, int z, int type, std::size_t* workBytes)
{
    return measure({{x, y, z}}, type, workBytes);
}

HEADROOM_CARD_API int cufftGetSizeMany(
    int, int rank, int* extents, int*, int, int, int*, int, int, int type, int batch, std::size_t* workBytes)
{
    return measure(shapeOf(rank, extents, batch), type, workBytes);
}

HEADROOM_CARD_API int cufftGetSizeMany64(int, int rank, long long* extents, long long*, long long, long long,
    long long*, long long, long long, int type, long long batch, std::size_t* workBytes)
{
    return measure(shapeOf(rank, extents, batch), type, workBytes);
}

#define HEADROOM_TRANSFORM(NAME)                                                                                       \
    HEADROOM_CARD_API int NAME(int plan, const void* input, const void* output)                                        \
    {                                                                                                                  \
        return transform(plan, input, output, #NAME);                                                                  \
    }
#define HEADROOM_DIRECTED_TRANSFORM(NAME)                                                                              \
    HEADROOM_CARD_API int NAME(int plan, const void* input, const void* output, int)                                   \
    {                                                                                                                  \
        return transform(plan, input, output, #NAME);                                                                  \
    }
HEADROOM_DIRECTED_TRANSFORM(cufftExecC2C)
HEADROOM_DIRECTED_TRANSFORM(cufftExecZ2Z)
HEADROOM_DIRECTED_TRANSFORM(cufftXtExec)
HEADROOM_TRANSFORM(cufftExecR2C)
HEADROOM_TRANSFORM(cufftExecC2R)
HEADROOM_TRANSFORM(cufftExecD2Z)
HEADROOM_TRANSFORM(cufftExecZ2D)
