// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "profiling/simulator/profiles/RuntimeProfile.h"

namespace headroom::collectors {

/// Size of the workspace that LibTorch gives a cuBLAS handle: as CUBLAS_WORKSPACE_CONFIG says (`setting`, ":KIB:COUNT"
/// once or several times; null: not set), else the runtime profile's value for the compute capability. As in LibTorch
/// (aten/src/ATen/cuda/CublasHandlePool.cpp), a setting that cannot be parsed counts as not set.
Bytes cublasWorkspaceBytes(
    const char* setting, const simulator::RuntimeProfile& runtime, simulator::ComputeCapability capability);

} // namespace headroom::collectors
