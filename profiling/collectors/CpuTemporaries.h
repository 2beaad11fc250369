// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/OpInterceptor.h"
#include "profiling/collectors/AccountedMemory.h"

namespace headroom::collectors {

/// Temporaries that LibTorch's CPU kernels allocate and meta kernels do not, for `sim:cpu`.
///
/// Rules, each with its source:
/// - mean of bfloat16 or float16: the whole input as float32 (aten/src/ATen/native/ReduceOps.cpp, mean_kernel_impl's
///   caller sums a float32 copy for accuracy).
class CpuTemporaries final : public tensor::OpObserver {
public:
    explicit CpuTemporaries(std::shared_ptr<AccountedMemory> memory);

    void before(const tensor::OpCall& call) override;
    void after(const tensor::OpCall& call) override;

private:
    std::shared_ptr<AccountedMemory> m_memory;
    Bytes m_temporaryBytes = 0;
};

} // namespace headroom::collectors
