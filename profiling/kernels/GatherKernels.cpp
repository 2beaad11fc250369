// SPDX-License-Identifier: Apache-2.0
#include "profiling/kernels/KernelFamilies.h"

#include "profiling/kernels/IteratedShapes.h"
#include "profiling/kernels/KernelRules.h"
#include "profiling/kernels/OpArguments.h"

#include <string_view>

namespace headroom::collectors {
namespace {

// aten/src/ATen/native/cuda/Indexing.cu, index_select_out_cuda_impl
std::vector<std::int64_t> selectedShape(const at::Tensor& input, std::int64_t dimension, const at::Tensor& index)
{
    std::vector<std::int64_t> shape = input.sizes().vec();
    if (!shape.empty())
        shape[static_cast<std::size_t>(at::maybe_wrap_dim(dimension, input.dim()))] = index.numel();
    return shape;
}

at::Tensor indexSelect(const at::Tensor& input, std::int64_t dimension, const at::Tensor& index)
{
    return at::empty(selectedShape(input, dimension, index), input.options());
}

at::Tensor& indexSelectOut(const at::Tensor& input, std::int64_t dimension, const at::Tensor& index, at::Tensor& out)
{
    shapeInto(out, selectedShape(input, dimension, index));
    return out;
}

at::Tensor take(const at::Tensor& input, const at::Tensor& index)
{
    return at::empty(index.sizes(), input.options());
}

at::Tensor& takeOut(const at::Tensor&, const at::Tensor& index, at::Tensor& out)
{
    shapeInto(out, index.sizes());
    return out;
}

// aten/src/ATen/native/TensorTransformations.cpp
at::Tensor flip(const at::Tensor& input, at::IntArrayRef)
{
    return at::empty_like(input);
}

// One dimension after the other, each into a new tensor; without dimensions the tensor as one row.
at::Tensor roll(const at::Tensor& input, at::IntArrayRef shifts, at::IntArrayRef dimensions)
{
    if (dimensions.empty() && shifts.size() == 1)
        return at::empty(input.contiguous().sizes(), input.options());
    at::Tensor rolled = at::empty(input.sizes(), input.options());
    for (std::size_t i = 1; i < dimensions.size(); ++i)
        rolled = at::empty(rolled.sizes(), rolled.options());
    return rolled;
}

at::Tensor windowsBackward(const at::Tensor& gradient, at::IntArrayRef sizes, std::int64_t, std::int64_t, std::int64_t)
{
    return at::empty(sizes, gradient.options());
}

at::Tensor places(const at::Tensor& like, at::IntArrayRef shape, bool isInt32)
{
    return at::empty(shape, like.options().dtype(isInt32 ? at::kInt : at::kLong));
}

// aten/src/ATen/native/cuda/Bucketization.cu: dense copies of what is not contiguous; those of another type than the
// boundaries' are converted (native/BucketizationUtils.h, searchsorted_maybe_trim_input_tensors).
at::Tensor searchSorted(const at::Tensor& boundaries, const at::Tensor& values, bool isInt32, bool,
    std::optional<std::string_view>, const OptionalTensor& sorter)
{
    at::Tensor result = places(boundaries, values.sizes(), isInt32);
    const bool isSameType = boundaries.scalar_type() == values.scalar_type();
    const at::ScalarType type = at::result_type(boundaries, values);
    const at::Tensor denseValues = (isSameType ? values : values.to(type)).contiguous();
    const at::Tensor denseBoundaries = (isSameType ? boundaries : boundaries.to(type)).contiguous();
    const at::Tensor denseSorter = isGiven(sorter) ? sorter->contiguous() : at::Tensor();
    return result;
}

at::Tensor searchSortedNumber(const at::Tensor& boundaries, const at::Scalar&, bool isInt32, bool,
    std::optional<std::string_view>, const OptionalTensor&)
{
    return places(boundaries, {}, isInt32);
}

at::Tensor bucketize(const at::Tensor& values, const at::Tensor& boundaries, bool isInt32, bool isRight)
{
    return searchSorted(boundaries, values, isInt32, isRight, {}, {});
}

at::Tensor bucketizeNumber(const at::Scalar&, const at::Tensor& boundaries, bool isInt32, bool)
{
    return places(boundaries, {}, isInt32);
}

// Elements of a rows x columns matrix on and below the diagonal.
std::int64_t lowerElements(std::int64_t rows, std::int64_t columns, std::int64_t offset)
{
    std::int64_t count = 0;
    for (std::int64_t row = 0; row < rows; ++row)
        count += std::clamp<std::int64_t>(row + offset + 1, 0, columns);
    return count;
}

using OptionalDevice = std::optional<c10::Device>;

at::Tensor coordinates(std::int64_t count, std::optional<at::ScalarType> type, OptionalDevice device)
{
    return at::empty({2, count}, at::TensorOptions().dtype(type.value_or(at::kLong)).device(*device));
}

at::Tensor lowerIndices(std::int64_t rows, std::int64_t columns, std::int64_t offset,
    std::optional<at::ScalarType> type, std::optional<at::Layout>, OptionalDevice device, std::optional<bool>)
{
    return coordinates(lowerElements(rows, columns, offset), type, device);
}

at::Tensor upperIndices(std::int64_t rows, std::int64_t columns, std::int64_t offset,
    std::optional<at::ScalarType> type, std::optional<at::Layout>, OptionalDevice device, std::optional<bool>)
{
    return coordinates(rows * columns - lowerElements(rows, columns, offset - 1), type, device);
}

at::Tensor foundPlaces(const at::Tensor& input, std::int64_t size, std::int64_t)
{
    return places(input, {size, input.dim()}, false);
}

// aten/src/ATen/native/Repeat.cpp: the running sums of the repetitions beside the result.
at::Tensor repeatedPlaces(const at::Tensor& repeats, std::optional<std::int64_t> size)
{
    TORCH_CHECK_NOT_IMPLEMENTED(
        size, "repeat_interleave needs its output_size here: the sum of repeats is known only from their values");
    const at::Tensor sums = places(repeats, repeats.sizes(), false);
    return at::empty({*size}, repeats.options());
}

void runningExtremes(const at::Tensor&, at::Tensor&, at::Tensor&, std::int64_t) { }

at::Tensor runningLogSum(const at::Tensor& input, std::int64_t)
{
    return at::empty(input.sizes(), input.options());
}

at::Tensor& runningLogSumOut(const at::Tensor& input, std::int64_t, at::Tensor& out)
{
    shapeInto(out, input.sizes());
    return out;
}

// aten/src/ATen/native/Distributions.cpp: draws without repetition are the largest of the probabilities, each divided
// by a random number.
at::Tensor drawn(const at::Tensor& probabilities, std::int64_t count, bool, std::optional<at::Generator>)
{
    const at::Tensor noise = at::empty_like(probabilities);
    std::vector<std::int64_t> shape(probabilities.sizes().begin(), probabilities.sizes().end() - 1);
    shape.push_back(count);
    return places(probabilities, shape, false);
}

at::Tensor randomLike(const at::Tensor& input, std::optional<at::Generator>)
{
    return at::empty(input.sizes(), input.options());
}

// Checks of values that nobody has.
void assertNothing(const at::Tensor&) { }
void assertNothingWithText(const at::Tensor&, std::string_view) { }

at::Tensor passToken(const at::Tensor&, std::string_view, const at::Tensor& token)
{
    return at::empty(token.sizes(), token.options());
}

} // namespace

void registerGatherKernels(torch::Library& kernels)
{
    kernels.impl("index_select", TORCH_FN(indexSelect));
    kernels.impl("index_select.out", TORCH_FN(indexSelectOut));
    kernels.impl("take", TORCH_FN(take));
    kernels.impl("take.out", TORCH_FN(takeOut));
    kernels.impl("flip", TORCH_FN(flip));
    kernels.impl("roll", TORCH_FN(roll));
    kernels.impl("unfold_backward", TORCH_FN(windowsBackward));
    kernels.impl("searchsorted.Tensor", TORCH_FN(searchSorted));
    kernels.impl("searchsorted.Scalar", TORCH_FN(searchSortedNumber));
    kernels.impl("bucketize.Tensor", TORCH_FN(bucketize));
    kernels.impl("bucketize.Scalar", TORCH_FN(bucketizeNumber));
    kernels.impl("tril_indices", TORCH_FN(lowerIndices));
    kernels.impl("triu_indices", TORCH_FN(upperIndices));
    kernels.impl("nonzero_static", TORCH_FN(foundPlaces));
    kernels.impl("repeat_interleave.Tensor", TORCH_FN(repeatedPlaces));
    for (const char* name : {"_cummax_helper", "_cummin_helper"})
        kernels.impl(name, TORCH_FN(runningExtremes));
    kernels.impl("_logcumsumexp", TORCH_FN(runningLogSum));
    kernels.impl("_logcumsumexp.out", TORCH_FN(runningLogSumOut));
    kernels.impl("multinomial", TORCH_FN(drawn));
    for (const char* name : {"poisson", "_standard_gamma", "_sample_dirichlet"})
        kernels.impl(name, TORCH_FN(randomLike));
    kernels.impl("_assert_async", TORCH_FN(assertNothing));
    kernels.impl("_assert_async.msg", TORCH_FN(assertNothingWithText));
    kernels.impl("_functional_assert_async.msg", TORCH_FN(passToken));
}

} // namespace headroom::collectors
