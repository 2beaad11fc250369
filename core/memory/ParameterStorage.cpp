// SPDX-License-Identifier: Apache-2.0
#include "core/memory/ParameterStorage.h"

#include <utility>

namespace headroom::tensor {
namespace {

thread_local bool t_deferred = false;

at::Tensor withoutMemory(at::IntArrayRef sizes, const at::TensorOptions& options)
{
    at::Tensor parameter = at::empty({0}, options);
    parameter.unsafeGetTensorImpl()->set_sizes_contiguous(sizes);
    return parameter;
}

bool hasNoMemory(const at::Tensor& parameter)
{
    return parameter.numel() > 0 && parameter.storage().nbytes() == 0;
}

} // namespace

at::Tensor emptyParameter(at::IntArrayRef sizes, const at::TensorOptions& options)
{
    return t_deferred ? withoutMemory(sizes, options) : at::empty(sizes, options);
}

DeferredParameters::DeferredParameters()
    : m_outer(std::exchange(t_deferred, true))
{
}

DeferredParameters::~DeferredParameters()
{
    t_deferred = m_outer;
}

void allocateParameters(torch::nn::Module& module)
{
    const torch::NoGradGuard noGradients;
    for (at::Tensor parameter : module.parameters(false))
        if (hasNoMemory(parameter))
            parameter.set_data(at::empty(parameter.sizes(), parameter.options()));
}

} // namespace headroom::tensor
