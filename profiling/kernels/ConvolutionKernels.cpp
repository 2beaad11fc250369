// SPDX-License-Identifier: Apache-2.0
#include "profiling/kernels/KernelFamilies.h"

#include "profiling/kernels/OpArguments.h"

namespace headroom::collectors {
namespace {

/// A number for each axis, or one for all of them (aten/src/ATen/native/Convolution.cpp, expand_param_if_needed):
/// padding = "valid" hands on a single 0.
struct OfAxes {
    at::IntArrayRef given;

    std::int64_t operator[](std::size_t axis) const { return given.size() == 1 ? given[0] : given[axis]; }
};

struct Geometry {
    OfAxes stride;
    OfAxes padding;
    OfAxes dilation;
    bool isTransposed;
    OfAxes outputPadding;
    std::int64_t groups;

    // aten/src/ATen/native/ConvUtils.h: conv_output_size, conv_input_size.
    std::int64_t extent(std::size_t axis, std::int64_t input, std::int64_t kernel) const
    {
        const std::int64_t reach = dilation[axis] * (kernel - 1);
        if (isTransposed)
            return (input - 1) * stride[axis] - 2 * padding[axis] + reach + outputPadding[axis] + 1;
        return (input + 2 * padding[axis] - reach - 1) / stride[axis] + 1;
    }

    std::int64_t channels(const at::Tensor& weight) const
    {
        return isTransposed ? weight.size(1) * groups : weight.size(0);
    }
};

at::Tensor convolution(const at::Tensor& input, const at::Tensor& weight, const OptionalTensor&, at::IntArrayRef stride,
    at::IntArrayRef padding, at::IntArrayRef dilation, bool isTransposed, at::IntArrayRef outputPadding,
    std::int64_t groups)
{
    const Geometry geometry{{stride}, {padding}, {dilation}, isTransposed, {outputPadding}, groups};
    const at::Tensor rows = input.contiguous();
    std::vector<std::int64_t> shape{rows.size(0), geometry.channels(weight)};
    for (std::int64_t axis = 2; axis < rows.dim(); ++axis)
        shape.push_back(geometry.extent(static_cast<std::size_t>(axis - 2), rows.size(axis), weight.size(axis)));
    return at::empty(shape, input.options());
}

std::tuple<at::Tensor, at::Tensor, at::Tensor> convolutionBackward(const at::Tensor& gradient, const at::Tensor& input,
    const at::Tensor& weight, at::OptionalIntArrayRef biasSizes, at::IntArrayRef, at::IntArrayRef, at::IntArrayRef,
    bool, at::IntArrayRef, std::int64_t, std::array<bool, 3> wanted)
{
    const at::Tensor rows = gradient.contiguous();
    const at::Tensor inputRows = input.contiguous();
    at::Tensor inputGradient = wanted[0] ? at::empty(input.sizes(), input.options()) : at::Tensor();
    at::Tensor weightGradient = wanted[1] ? at::empty(weight.sizes(), weight.options()) : at::Tensor();
    return {
        inputGradient, weightGradient, wanted[2] && biasSizes ? at::empty(*biasSizes, weight.options()) : at::Tensor()};
}

} // namespace

void registerConvolutionKernels(torch::Library& kernels)
{
    kernels.impl("convolution", TORCH_FN(convolution));
    kernels.impl("convolution_backward", TORCH_FN(convolutionBackward));
}

} // namespace headroom::collectors
