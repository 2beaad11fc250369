// SPDX-License-Identifier: Apache-2.0
#include "profiling/kernels/KernelFamilies.h"

#include "profiling/kernels/IteratedShapes.h"
#include "profiling/kernels/KernelRules.h"

namespace headroom::collectors {
namespace {

using Sizes = at::IntArrayRef;

std::vector<std::int64_t> withLast(const at::Tensor& input, Sizes last)
{
    std::vector<std::int64_t> shape(
        input.sizes().begin(), input.sizes().end() - static_cast<std::ptrdiff_t>(last.size()));
    shape.insert(shape.end(), last.begin(), last.end());
    return shape;
}

// In the order of channels that the input has.
at::Tensor likeLayout(const at::Tensor& input, Sizes shape)
{
    return at::empty(shape, input.options(), input.suggest_memory_format());
}

at::Tensor contiguous(const at::Tensor& input, Sizes shape)
{
    return at::empty(shape, input.options());
}

// aten/src/ATen/native/cuda/AdaptiveAveragePooling.cu and native/AdaptiveAveragePooling.cpp
at::Tensor adaptivePool2d(const at::Tensor& input, Sizes size)
{
    const at::Tensor dense = input.contiguous(input.suggest_memory_format());
    return likeLayout(dense, withLast(input, size));
}

at::Tensor& adaptivePoolOut(const at::Tensor& input, Sizes size, at::Tensor& out)
{
    shapeInto(out, withLast(input, size));
    return out;
}

at::Tensor adaptivePool2dBackward(const at::Tensor& gradient, const at::Tensor& input)
{
    const at::Tensor dense = gradient.contiguous(input.suggest_memory_format());
    return likeLayout(input, input.sizes());
}

at::Tensor adaptivePool3d(const at::Tensor& input, Sizes size)
{
    return contiguous(input, withLast(input, size));
}

at::Tensor contiguousGradient(const at::Tensor& gradient, const at::Tensor& input)
{
    const at::Tensor dense = gradient.contiguous();
    return contiguous(input, input.sizes());
}

at::Tensor& gradientInto(const at::Tensor&, const at::Tensor& input, at::Tensor& gradient)
{
    shapeInto(gradient, input.sizes());
    return gradient;
}

// One number for all three dimensions, or one for each.
std::int64_t ofAxis(Sizes values, std::size_t axis)
{
    return values.size() == 1 ? values[0] : values[axis];
}

// aten/src/ATen/native/Pool.h, pooling_output_shape: the last window starts within the input or its left padding.
std::int64_t pooledExtent(std::int64_t input, std::int64_t kernel, std::int64_t stride, std::int64_t padding,
    std::int64_t dilation, bool ceils)
{
    const std::int64_t span = input + 2 * padding - dilation * (kernel - 1) - 1 + (ceils ? stride - 1 : 0);
    const std::int64_t extent = span / stride + 1;
    return ceils && (extent - 1) * stride >= input + padding ? extent - 1 : extent;
}

std::vector<std::int64_t> pooledShape(
    const at::Tensor& input, Sizes kernel, Sizes stride, Sizes padding, Sizes dilation, bool ceils)
{
    constexpr std::size_t kAxes = 3;
    std::vector<std::int64_t> last;
    for (std::size_t axis = 0; axis < kAxes; ++axis)
        last.push_back(pooledExtent(input.size(static_cast<std::int64_t>(axis) - 3), ofAxis(kernel, axis),
            ofAxis(stride.empty() ? kernel : stride, axis), ofAxis(padding, axis), ofAxis(dilation, axis), ceils));
    return withLast(input, last);
}

std::tuple<at::Tensor, at::Tensor> maxPool3d(
    const at::Tensor& input, Sizes kernel, Sizes stride, Sizes padding, Sizes dilation, bool ceils)
{
    const std::vector<std::int64_t> shape = pooledShape(input, kernel, stride, padding, dilation, ceils);
    at::Tensor values = likeLayout(input, shape);
    return {values, at::empty(shape, input.options().dtype(at::kLong), input.suggest_memory_format())};
}

at::Tensor maxPool3dBackward(
    const at::Tensor& gradient, const at::Tensor& input, Sizes, Sizes, Sizes, Sizes, bool, const at::Tensor&)
{
    const at::Tensor dense = gradient.contiguous(input.suggest_memory_format());
    return likeLayout(input, input.sizes());
}

at::Tensor maxUnpool2d(const at::Tensor& input, const at::Tensor&, Sizes size)
{
    return likeLayout(input, withLast(input, size));
}

at::Tensor maxUnpool3d(const at::Tensor& input, const at::Tensor&, Sizes size, Sizes, Sizes)
{
    return contiguous(input, withLast(input, size));
}

// aten/src/ATen/native/cuda/GridSampler.cpp
at::Tensor gridSampler2d(const at::Tensor& input, const at::Tensor& grid, std::int64_t, std::int64_t, bool)
{
    return contiguous(input, {input.size(0), input.size(1), grid.size(1), grid.size(2)});
}

at::Tensor gridSampler3d(const at::Tensor& input, const at::Tensor& grid, std::int64_t, std::int64_t, bool)
{
    return contiguous(input, {input.size(0), input.size(1), grid.size(1), grid.size(2), grid.size(3)});
}

std::tuple<at::Tensor, at::Tensor> gridSamplerBackward(const at::Tensor&, const at::Tensor& input,
    const at::Tensor& grid, std::int64_t, std::int64_t, bool, std::array<bool, 2> wanted)
{
    at::Tensor ofInput = wanted[0] ? contiguous(input, input.sizes()) : at::Tensor();
    return {ofInput, contiguous(grid, grid.sizes())};
}

std::int64_t windows(std::int64_t extent, std::size_t axis, Sizes kernel, Sizes dilation, Sizes padding, Sizes stride)
{
    return (extent + 2 * ofAxis(padding, axis) - ofAxis(dilation, axis) * (ofAxis(kernel, axis) - 1) - 1)
        / ofAxis(stride, axis)
        + 1;
}

// aten/src/ATen/native/cuda/Im2Col.cu: patches as columns. Without a batch the first dimension is missing.
std::vector<std::int64_t> columnsShape(
    const at::Tensor& input, Sizes kernel, Sizes dilation, Sizes padding, Sizes stride)
{
    const std::int64_t rows = input.size(-3) * ofAxis(kernel, 0) * ofAxis(kernel, 1);
    const std::int64_t columns = windows(input.size(-2), 0, kernel, dilation, padding, stride)
        * windows(input.size(-1), 1, kernel, dilation, padding, stride);
    std::vector<std::int64_t> shape{rows, columns};
    if (input.dim() == 4)
        shape.insert(shape.begin(), input.size(0));
    return shape;
}

at::Tensor toColumns(const at::Tensor& input, Sizes kernel, Sizes dilation, Sizes padding, Sizes stride)
{
    const at::Tensor dense = input.contiguous();
    return contiguous(input, columnsShape(input, kernel, dilation, padding, stride));
}

at::Tensor& toColumnsOut(
    const at::Tensor& input, Sizes kernel, Sizes dilation, Sizes padding, Sizes stride, at::Tensor& out)
{
    shapeInto(out, columnsShape(input, kernel, dilation, padding, stride));
    return out;
}

std::vector<std::int64_t> imageShape(const at::Tensor& columns, Sizes size, Sizes kernel)
{
    std::vector<std::int64_t> shape{columns.size(-2) / (ofAxis(kernel, 0) * ofAxis(kernel, 1)), size[0], size[1]};
    if (columns.dim() == 3)
        shape.insert(shape.begin(), columns.size(0));
    return shape;
}

at::Tensor fromColumns(const at::Tensor& columns, Sizes size, Sizes kernel, Sizes, Sizes, Sizes)
{
    const at::Tensor dense = columns.contiguous();
    return contiguous(columns, imageShape(columns, size, kernel));
}

at::Tensor& fromColumnsOut(const at::Tensor& columns, Sizes size, Sizes kernel, Sizes, Sizes, Sizes, at::Tensor& out)
{
    shapeInto(out, imageShape(columns, size, kernel));
    return out;
}

std::vector<std::int64_t> padded2d(const at::Tensor& input, Sizes padding)
{
    return withLast(input, {input.size(-2) + padding[2] + padding[3], input.size(-1) + padding[0] + padding[1]});
}

// aten/src/ATen/native/ReflectionPad.cpp keeps the layout, cuda/ReflectionPad.cu does not.
at::Tensor reflectionPad2d(const at::Tensor& input, Sizes padding)
{
    const std::vector<std::int64_t> shape = padded2d(input, padding);
    if (KernelRules::activeOfCuda() == nullptr)
        return likeLayout(input, shape);
    const at::Tensor dense = input.contiguous();
    return contiguous(input, shape);
}

at::Tensor& reflectionPad2dOut(const at::Tensor& input, Sizes padding, at::Tensor& out)
{
    shapeInto(out, padded2d(input, padding));
    return out;
}

at::Tensor padBackward(const at::Tensor& gradient, const at::Tensor& input, Sizes)
{
    if (KernelRules::activeOfCuda() == nullptr)
        return at::empty_like(input);
    const at::Tensor dense = gradient.contiguous();
    return contiguous(input, input.sizes());
}

at::Tensor& padBackwardOut(const at::Tensor&, const at::Tensor& input, Sizes, at::Tensor& gradient)
{
    shapeInto(gradient, input.sizes());
    return gradient;
}

// aten/src/ATen/native/ChanelShuffle.cpp
at::Tensor channelShuffle(const at::Tensor& input, std::int64_t)
{
    return likeLayout(input, input.sizes());
}

} // namespace

void registerPoolingKernels(torch::Library& kernels)
{
    kernels.impl("_adaptive_avg_pool2d", TORCH_FN(adaptivePool2d));
    kernels.impl("_adaptive_avg_pool2d_backward", TORCH_FN(adaptivePool2dBackward));
    kernels.impl("_adaptive_avg_pool3d", TORCH_FN(adaptivePool3d));
    kernels.impl("_adaptive_avg_pool3d_backward", TORCH_FN(contiguousGradient));
    kernels.impl("adaptive_avg_pool3d_backward.grad_input", TORCH_FN(gradientInto));
    for (const char* name : {"adaptive_avg_pool2d.out", "adaptive_avg_pool3d.out"})
        kernels.impl(name, TORCH_FN(adaptivePoolOut));
    kernels.impl("max_pool3d_with_indices", TORCH_FN(maxPool3d));
    kernels.impl("max_pool3d_with_indices_backward", TORCH_FN(maxPool3dBackward));
    kernels.impl("max_unpool2d", TORCH_FN(maxUnpool2d));
    kernels.impl("max_unpool3d", TORCH_FN(maxUnpool3d));
    kernels.impl("grid_sampler_2d", TORCH_FN(gridSampler2d));
    kernels.impl("grid_sampler_3d", TORCH_FN(gridSampler3d));
    for (const char* name : {"grid_sampler_2d_backward", "grid_sampler_3d_backward"})
        kernels.impl(name, TORCH_FN(gridSamplerBackward));
    kernels.impl("im2col", TORCH_FN(toColumns));
    kernels.impl("im2col.out", TORCH_FN(toColumnsOut));
    kernels.impl("col2im", TORCH_FN(fromColumns));
    kernels.impl("col2im.out", TORCH_FN(fromColumnsOut));
    kernels.impl("reflection_pad2d", TORCH_FN(reflectionPad2d));
    kernels.impl("reflection_pad2d.out", TORCH_FN(reflectionPad2dOut));
    for (const char* name : {"reflection_pad2d_backward", "replication_pad2d_backward", "replication_pad3d_backward"})
        kernels.impl(name, TORCH_FN(padBackward));
    for (const char* name : {"reflection_pad2d_backward.grad_input", "replication_pad2d_backward.grad_input",
             "replication_pad3d_backward.grad_input"})
        kernels.impl(name, TORCH_FN(padBackwardOut));
    kernels.impl("channel_shuffle", TORCH_FN(channelShuffle));
}

} // namespace headroom::collectors
