// SPDX-License-Identifier: Apache-2.0
#include "profiling/kernels/KernelFamilies.h"

#include "profiling/kernels/KernelRules.h"
#include "profiling/kernels/OpArguments.h"
#include "profiling/simulator/rules/CeilDivide.h"

#include <algorithm>
#include <limits>

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

// The other fused optimizers: all in place.
void fusedStep(const c10::OperatorHandle& op, torch::jit::Stack* stack)
{
    torch::jit::drop(*stack, op.schema().arguments().size());
}

bool isFastOnCuda(at::TensorList tensors, double order)
{
    const bool isKnownOrder = order == 1 || order == 2 || order == std::numeric_limits<double>::infinity();
    return KernelRules::activeOfCuda() != nullptr && isKnownOrder && !tensors.empty()
        && std::ranges::all_of(tensors, [&](const at::Tensor& tensor) {
               return tensor.is_floating_point() && tensor.scalar_type() == tensors[0].scalar_type()
                   && tensor.is_non_overlapping_and_dense();
           });
}

// aten/src/ATen/native/cuda/ForeachReduceOp.cu: for every tensor, one number per chunk of the longest tensor.
at::Tensor chunkNorms(at::TensorList tensors, at::ScalarType type)
{
    const at::ScalarType summed = at::isReducedFloatingType(type) ? at::kFloat : type;
    constexpr std::int64_t kChunk = 65536;
    std::int64_t chunks = 0;
    for (const at::Tensor& tensor : tensors)
        chunks = std::max(chunks, simulator::ceilDivide(tensor.numel(), kChunk));
    return at::empty({static_cast<std::int64_t>(tensors.size()) * chunks}, tensors[0].options().dtype(summed));
}

std::vector<at::Tensor> foreachNorm(
    at::TensorList tensors, const at::Scalar& order, std::optional<at::ScalarType> wanted)
{
    at::Tensor chunks;
    if (isFastOnCuda(tensors, order.toDouble()))
        chunks = chunkNorms(tensors, wanted.value_or(tensors[0].scalar_type()));
    std::vector<at::Tensor> norms;
    for (const at::Tensor& tensor : tensors)
        norms.push_back(at::empty({}, tensor.options().dtype(wanted.value_or(tensor.scalar_type()))));
    return norms;
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
    for (const char* name : {"_fused_sgd_.tensor_lr", "_fused_adamw_.tensor_lr", "_fused_adam_",
             "_fused_adam_.tensor_lr", "_fused_adagrad_", "_fused_adagrad_.tensor_lr"})
        kernels.impl(name, torch::CppFunction::makeFromBoxedFunction<&fusedStep>());
    kernels.impl("_foreach_norm.Scalar", TORCH_FN(foreachNorm));
    kernels.impl("_amp_foreach_non_finite_check_and_unscale_", TORCH_FN(checkAndUnscale));
    kernels.impl("_amp_update_scale_", TORCH_FN(updateScale));
}

} // namespace headroom::collectors
