// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "profiling/simulator/profiles/RuntimeProfile.h"

namespace headroom::collectors {

/// How large LibTorch makes the workspace of a cuBLAS handle: as CUBLAS_WORKSPACE_CONFIG says (`setting`, ":KIB:COUNT"
/// once or several times; null: not set), else what the runtime profile knows of the capability. As LibTorch reads it
/// (aten/src/ATen/cuda/CublasHandlePool.cpp), a setting that it cannot read counts as none.
Bytes cublasWorkspaceBytes(
    const char* setting, const simulator::RuntimeProfile& runtime, simulator::ComputeCapability capability);

} // namespace headroom::collectors
