// SPDX-License-Identifier: Apache-2.0
#include "profiling/kernels/KernelFamilies.h"

#include "profiling/kernels/KernelRules.h"

namespace headroom::collectors {
namespace {

std::tuple<at::Tensor, at::Tensor> fusedDropout(const at::Tensor& input, double, std::optional<bool>)
{
    at::Tensor mask = at::empty_like(input, input.options().dtype(at::kBool)); // allocated first, as in LibTorch
    return {at::empty_like(input), mask};
}

at::Tensor fusedDropoutBackward(const at::Tensor& gradient, const at::Tensor&, double)
{
    return at::empty_like(gradient);
}

// aten/src/ATen/native/Dropout.cpp
at::Tensor noisyProduct(const at::Tensor& input, double probability)
{
    if (probability == 1)
        return input * at::zeros({}, input.options());
    at::Tensor noise = at::empty_like(input);
    noise.bernoulli_(1 - probability).div_(1 - probability);
    return input * noise;
}

at::Tensor dropout(const at::Tensor& input, double probability, bool isTraining)
{
    if (probability == 0 || !isTraining || input.numel() == 0)
        return input;
    if (KernelRules::activeOfCuda() == nullptr || probability == 1)
        return noisyProduct(input, probability);
    return std::get<0>(at::native_dropout(input, probability, isTraining));
}

} // namespace

void registerDropoutKernels(torch::Library& kernels, torch::Library& composites)
{
    composites.impl("dropout", TORCH_FN(dropout));
    kernels.impl("native_dropout", TORCH_FN(fusedDropout));
    kernels.impl("native_dropout_backward", TORCH_FN(fusedDropoutBackward));
}

} // namespace headroom::collectors
