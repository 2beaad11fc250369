// SPDX-License-Identifier: Apache-2.0
#include "profiling/kernels/KernelFamilies.h"

#include "profiling/kernels/IteratedShapes.h"
#include "profiling/kernels/KernelRules.h"
#include "profiling/kernels/OpArguments.h"

namespace headroom::collectors {
namespace {

bool isReduced(std::int64_t reduction)
{
    return reduction != at::Reduction::None;
}

at::Tensor oneNumber(const at::Tensor& like)
{
    return at::empty({}, like.options());
}

// aten/src/ATen/native/Loss.cpp: all losses, then their mean or sum.
at::Tensor huberLoss(const at::Tensor& input, const at::Tensor& target, std::int64_t reduction, double)
{
    const at::Tensor losses = iteratedLike({input, target});
    return isReduced(reduction) ? oneNumber(losses) : losses;
}

// aten/src/ATen/native/cuda/Loss.cu: the reduced loss is copied into the tensor of all losses, which keeps its memory.
at::Tensor binaryCrossEntropy(const at::Tensor& input, const at::Tensor&, const OptionalTensor&, std::int64_t reduction)
{
    at::Tensor losses = at::empty_like(input);
    if (!isReduced(reduction))
        return losses;
    const at::Tensor loss = oneNumber(input);
    return losses.resize_({});
}

at::Tensor binaryCrossEntropyBackward(
    const at::Tensor&, const at::Tensor& input, const at::Tensor&, const OptionalTensor&, std::int64_t)
{
    return at::empty_like(input);
}

// Labels are [batch, height, width], log probabilities [batch, classes, height, width].
std::tuple<at::Tensor, at::Tensor> labelLoss2d(
    const at::Tensor& input, const at::Tensor& target, const OptionalTensor&, std::int64_t reduction, std::int64_t)
{
    at::Tensor loss = isReduced(reduction) ? oneNumber(input) : at::empty(target.sizes(), input.options());
    return {loss, oneNumber(input)};
}

at::Tensor labelLoss2dBackward(const at::Tensor&, const at::Tensor& input, const at::Tensor&, const OptionalTensor&,
    std::int64_t, std::int64_t, const at::Tensor&)
{
    return at::empty_like(input);
}

at::Tensor marginLoss(const at::Tensor& input, const at::Tensor& target, const at::Scalar&, const at::Scalar&,
    const OptionalTensor&, std::int64_t reduction)
{
    return isReduced(reduction) ? oneNumber(input) : at::empty(target.sizes(), input.options());
}

at::Tensor marginLossBackward(const at::Tensor&, const at::Tensor& input, const at::Tensor&, const at::Scalar&,
    const at::Scalar&, const OptionalTensor&, std::int64_t)
{
    return at::empty(input.sizes(), input.options());
}

std::tuple<at::Tensor, at::Tensor> labelSetLoss(
    const at::Tensor& input, const at::Tensor& target, std::int64_t reduction)
{
    const bool isBatch = input.dim() > 1 && !isReduced(reduction);
    at::Tensor loss = isBatch ? at::empty({input.size(0)}, input.options()) : oneNumber(input);
    return {loss, at::empty(target.sizes(), input.options())};
}

at::Tensor labelSetLossBackward(
    const at::Tensor&, const at::Tensor& input, const at::Tensor&, std::int64_t, const at::Tensor&)
{
    return at::empty(input.sizes(), input.options());
}

at::Tensor alignmentLossBackward(const at::Tensor&, const at::Tensor& logProbabilities, const at::Tensor&,
    at::IntArrayRef, at::IntArrayRef, const at::Tensor&, const at::Tensor&, std::int64_t, bool)
{
    return at::empty(logProbabilities.sizes(), logProbabilities.options());
}

} // namespace

void registerLossKernels(torch::Library& kernels)
{
    kernels.impl("huber_loss", TORCH_FN(huberLoss));
    kernels.impl("binary_cross_entropy", TORCH_FN(binaryCrossEntropy));
    kernels.impl("binary_cross_entropy_backward", TORCH_FN(binaryCrossEntropyBackward));
    kernels.impl("nll_loss2d_forward", TORCH_FN(labelLoss2d));
    kernels.impl("nll_loss2d_backward", TORCH_FN(labelLoss2dBackward));
    kernels.impl("multi_margin_loss", TORCH_FN(marginLoss));
    kernels.impl("multi_margin_loss_backward", TORCH_FN(marginLossBackward));
    kernels.impl("multilabel_margin_loss_forward", TORCH_FN(labelSetLoss));
    kernels.impl("multilabel_margin_loss_backward", TORCH_FN(labelSetLossBackward));
    kernels.impl("_ctc_loss_backward", TORCH_FN(alignmentLossBackward));
}

} // namespace headroom::collectors
