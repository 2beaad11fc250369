// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/kernels/OptimizerKernels.h"

#include "profiling/collectors/kernels/OptionalTensor.h"

namespace headroom::collectors {
namespace {

void fusedSgd(at::TensorList, at::TensorList, at::TensorList, double, double, double, double, bool, bool, bool,
    const OptionalTensor&, const OptionalTensor&)
{
}

void fusedAdamw(at::TensorList, at::TensorList, at::TensorList, at::TensorList, at::TensorList, at::TensorList, double,
    double, double, double, double, bool, bool, const OptionalTensor&, const OptionalTensor&)
{
}

void checkAndUnscale(at::TensorList, at::Tensor&, const at::Tensor&) { }

at::Tensor& updateScale(at::Tensor& scale, at::Tensor&, const at::Tensor&, double, double, std::int64_t)
{
    return scale;
}

} // namespace

void registerOptimizerKernels(torch::Library& kernels)
{
    kernels.impl("_fused_sgd_", TORCH_FN(fusedSgd));
    kernels.impl("_fused_adamw_", TORCH_FN(fusedAdamw));
    kernels.impl("_amp_foreach_non_finite_check_and_unscale_", TORCH_FN(checkAndUnscale));
    kernels.impl("_amp_update_scale_", TORCH_FN(updateScale));
}

} // namespace headroom::collectors
