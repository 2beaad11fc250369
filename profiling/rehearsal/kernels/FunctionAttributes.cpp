// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/kernels/FunctionAttributes.h"

#include "profiling/rehearsal/Card.h"

#include <cuda.h>
#include <driver_types.h>

namespace headroom::rehearsal {

namespace {

/// Shared memory of a block that a kernel takes without asking for more.
int defaultDynamicBytes()
{
    return static_cast<int>(card().sharedBytesPerBlock);
}

} // namespace

int functionAttribute(const Kernel* kernel, int attribute, int* value)
{
    if (value == nullptr)
        return cudaErrorInvalidValue;
    if (const int status = requireImage(kernel); status != cudaSuccess)
        return status;
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
        *value = kMostThreadsPerBlock;
        break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
        *value = kNominalRegisters;
        break;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
        *value = architectureOf(*kernel);
        break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: {
        const int set = kernel->mostDynamicBytes.load();
        *value = set >= 0 ? set : defaultDynamicBytes();
        break;
    }
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        *value = kernel->preferredCarveout.load();
        break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
    case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
        *value = 0;
        break;
    default:
        return cudaErrorInvalidValue;
    }
    return cudaSuccess;
}

int setFunctionAttribute(Kernel* kernel, int attribute, int value)
{
    if (const int status = requireImage(kernel); status != cudaSuccess)
        return status;
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        if (value < 0 || static_cast<std::size_t>(value) > card().sharedBytesPerBlockOptIn)
            return cudaErrorInvalidValue;
        kernel->mostDynamicBytes.store(value);
        return cudaSuccess;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        kernel->preferredCarveout.store(value);
        return cudaSuccess;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
        return cudaSuccess;
    default:
        return cudaErrorInvalidValue;
    }
}

} // namespace headroom::rehearsal
