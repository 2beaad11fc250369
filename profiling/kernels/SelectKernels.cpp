// SPDX-License-Identifier: Apache-2.0
#include "profiling/kernels/KernelFamilies.h"

namespace headroom::collectors {
namespace {

std::vector<std::int64_t> broadcastShape(const at::Tensor& condition, const at::Tensor& self, const at::Tensor& other)
{
    return at::broadcast_tensors({condition, self, other}).front().sizes().vec();
}

at::Tensor where(const at::Tensor& condition, const at::Tensor& self, const at::Tensor& other)
{
    return at::empty(broadcastShape(condition, self, other), condition.options().dtype(at::result_type(self, other)));
}

at::Tensor& whereOut(const at::Tensor& condition, const at::Tensor& self, const at::Tensor& other, at::Tensor& out)
{
    const auto shape = broadcastShape(condition, self, other);
    if (out.sizes() != shape)
        out.resize_(shape);
    return out;
}

// The condition of a clamp's backward pass, computed in place.
at::Tensor& logicalAndOut(const at::Tensor& self, const at::Tensor& other, at::Tensor& out)
{
    const auto shape = at::infer_size(self.sizes(), other.sizes());
    if (out.sizes() != at::IntArrayRef(shape))
        out.resize_(shape);
    return out;
}

} // namespace

void registerSelectKernels(torch::Library& kernels)
{
    kernels.impl("where.self", TORCH_FN(where));
    kernels.impl("where.self_out", TORCH_FN(whereOut));
    kernels.impl("logical_and.out", TORCH_FN(logicalAndOut));
}

} // namespace headroom::collectors
