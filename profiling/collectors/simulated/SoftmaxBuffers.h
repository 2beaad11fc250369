// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/OpInterceptor.h"
#include "profiling/collectors/AccountedMemory.h"

#include <array>
#include <memory>
#include <vector>

namespace headroom::collectors {

/// What CUDA's backward pass of a softmax takes from the allocator beside its result: the product of gradient and
/// output (aten/src/ATen/native/cuda/SoftMax.cu, softmax_backward_cuda_out), and dense copies of what is not
/// contiguous.
class SoftmaxBuffers final : public tensor::OpObserver {
public:
    explicit SoftmaxBuffers(std::shared_ptr<AccountedMemory> memory);

    void before(const tensor::OpCall& call) override;
    void after(const tensor::OpCall& call) override;

private:
    std::shared_ptr<AccountedMemory> m_memory;
    std::array<const c10::FunctionSchema*, 2> m_ops;
    std::vector<Bytes> m_sizes; ///< of the call that is running now
};

} // namespace headroom::collectors
