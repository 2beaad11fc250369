// SPDX-License-Identifier: Apache-2.0
#include "profiling/kernels/KernelFamilies.h"

#include "profiling/kernels/IteratedShapes.h"

#include <numeric>

namespace headroom::collectors {
namespace {

using OptionalType = std::optional<at::ScalarType>;
using OptionalNumber = std::optional<at::Scalar>;
using TensorPair = std::tuple<at::Tensor, at::Tensor>;
using TensorRefPair = std::tuple<at::Tensor&, at::Tensor&>;

at::Tensor reduced(
    const at::Tensor& input, at::OptionalIntArrayRef dimensions, bool keepsDimensions, at::ScalarType type)
{
    return at::empty(reducedShape(input, dimensions, keepsDimensions), input.options().dtype(type));
}

at::Tensor number(const at::Tensor& input)
{
    return at::empty({}, input.options());
}

at::Tensor& numberOut(const at::Tensor&, at::Tensor& out)
{
    shapeInto(out, {});
    return out;
}

// Sums of integers are 64-bit integers.
at::ScalarType sumType(const at::Tensor& input, OptionalType type)
{
    return type.value_or(at::isIntegralType(input.scalar_type(), true) ? at::kLong : input.scalar_type());
}

at::Tensor product(const at::Tensor& input, OptionalType type)
{
    return reduced(input, {}, false, sumType(input, type));
}

at::Tensor sumOfNumbers(
    const at::Tensor& input, at::OptionalIntArrayRef dimensions, bool keepsDimensions, OptionalType type)
{
    return reduced(input, dimensions, keepsDimensions, sumType(input, type));
}

at::Tensor& sumOfNumbersOut(
    const at::Tensor& input, at::OptionalIntArrayRef dimensions, bool keepsDimensions, OptionalType, at::Tensor& out)
{
    shapeInto(out, reducedShape(input, dimensions, keepsDimensions));
    return out;
}

at::Tensor trace(const at::Tensor& input)
{
    return reduced(input, {}, false, sumType(input, {}));
}

at::Tensor moment(
    const at::Tensor& input, at::OptionalIntArrayRef dimensions, const OptionalNumber&, bool keepsDimensions)
{
    return reduced(input, dimensions, keepsDimensions, c10::toRealValueType(input.scalar_type()));
}

at::Tensor& momentOut(const at::Tensor& input, at::OptionalIntArrayRef dimensions, const OptionalNumber&,
    bool keepsDimensions, at::Tensor& out)
{
    shapeInto(out, reducedShape(input, dimensions, keepsDimensions));
    return out;
}

TensorPair momentAndMean(
    const at::Tensor& input, at::OptionalIntArrayRef dimensions, const OptionalNumber&, bool keepsDimensions)
{
    at::Tensor spread = reduced(input, dimensions, keepsDimensions, c10::toRealValueType(input.scalar_type()));
    return {spread, reduced(input, dimensions, keepsDimensions, input.scalar_type())};
}

TensorPair range(const at::Tensor& input)
{
    return {number(input), number(input)};
}

TensorPair rangeAlong(const at::Tensor& input, std::int64_t dimension, bool keepsDimensions)
{
    at::Tensor least = reduced(input, dimension, keepsDimensions, input.scalar_type());
    return {least, reduced(input, dimension, keepsDimensions, input.scalar_type())};
}

TensorPair modeAlong(const at::Tensor& input, std::int64_t dimension, bool keepsDimensions)
{
    at::Tensor values = reduced(input, dimension, keepsDimensions, input.scalar_type());
    return {values, reduced(input, dimension, keepsDimensions, at::kLong)};
}

TensorRefPair medianAlongOut(
    const at::Tensor& input, std::int64_t dimension, bool keepsDimensions, at::Tensor& values, at::Tensor& indices)
{
    const std::vector<std::int64_t> shape = reducedShape(input, dimension, keepsDimensions);
    shapeInto(values, shape);
    shapeInto(indices, shape);
    return {values, indices};
}

TensorRefPair kthValueOut(const at::Tensor& input, std::int64_t, std::int64_t dimension, bool keepsDimensions,
    at::Tensor& values, at::Tensor& indices)
{
    return medianAlongOut(input, dimension, keepsDimensions, values, indices);
}

at::Tensor scalarProduct(const at::Tensor& left, const at::Tensor&)
{
    return number(left);
}

at::Tensor countAlong(const at::Tensor& input, at::IntArrayRef dimensions)
{
    return reduced(input, dimensions, false, at::kLong);
}

at::Tensor histogram(const at::Tensor& input, std::int64_t bins, const at::Scalar&, const at::Scalar&)
{
    return at::empty({bins}, input.options());
}

TensorPair histogramWithEdges(const at::Tensor& input, std::int64_t bins, std::optional<at::ArrayRef<double>>,
    const std::optional<at::Tensor>&, bool)
{
    return {at::empty({bins}, input.options()), at::empty({bins + 1}, input.options())};
}

// aten/src/ATen/native/Distance.cpp: batches are broadcast; one number for each pair of rows.
at::Tensor distances(const at::Tensor& left, const at::Tensor& right, double, std::optional<std::int64_t>)
{
    const at::IntArrayRef leftBatch = left.sizes().slice(0, static_cast<std::size_t>(left.dim() - 2));
    const at::IntArrayRef rightBatch = right.sizes().slice(0, static_cast<std::size_t>(right.dim() - 2));
    std::vector<std::int64_t> shape = at::infer_size(leftBatch, rightBatch);
    shape.push_back(left.size(-2));
    shape.push_back(right.size(-2));
    return at::empty(shape, left.options());
}

at::Tensor distancesBackward(
    const at::Tensor& gradient, const at::Tensor& left, const at::Tensor&, double, const at::Tensor& result)
{
    std::vector<std::int64_t> shape = result.sizes().vec();
    shape.back() = left.size(-1);
    const at::Tensor denseGradient = gradient.contiguous();
    return at::empty(shape, left.options());
}

at::Tensor distancesOfRows(const at::Tensor& rows, double)
{
    const std::int64_t count = rows.size(0);
    return at::empty({count * (count - 1) / 2}, rows.options());
}

at::Tensor distancesOfRowsBackward(const at::Tensor&, const at::Tensor& rows, double, const at::Tensor&)
{
    return at::empty(rows.sizes(), rows.options());
}

} // namespace

void registerReductionKernels(torch::Library& kernels)
{
    for (const char* name : {"max", "min", "median", "nanmedian"})
        kernels.impl(name, TORCH_FN(number));
    for (const char* name : {"max.unary_out", "min.unary_out"})
        kernels.impl(name, TORCH_FN(numberOut));
    for (const char* name : {"median.dim_values", "nanmedian.dim_values"})
        kernels.impl(name, TORCH_FN(medianAlongOut));
    for (const char* name : {"var.correction", "std.correction"})
        kernels.impl(name, TORCH_FN(moment));
    for (const char* name : {"var.correction_out", "std.correction_out"})
        kernels.impl(name, TORCH_FN(momentOut));
    for (const char* name : {"var_mean.correction", "std_mean.correction"})
        kernels.impl(name, TORCH_FN(momentAndMean));
    for (const char* name : {"dot", "vdot"})
        kernels.impl(name, TORCH_FN(scalarProduct));
    kernels.impl("prod", TORCH_FN(product));
    kernels.impl("nansum", TORCH_FN(sumOfNumbers));
    kernels.impl("nansum.out", TORCH_FN(sumOfNumbersOut));
    kernels.impl("trace", TORCH_FN(trace));
    kernels.impl("_aminmax", TORCH_FN(range));
    kernels.impl("_aminmax.dim", TORCH_FN(rangeAlong));
    kernels.impl("mode", TORCH_FN(modeAlong));
    kernels.impl("kthvalue.values", TORCH_FN(kthValueOut));
    kernels.impl("count_nonzero.dim_IntList", TORCH_FN(countAlong));
    kernels.impl("histc", TORCH_FN(histogram));
    kernels.impl("histogram.bin_ct", TORCH_FN(histogramWithEdges));
    kernels.impl("_cdist_forward", TORCH_FN(distances));
    kernels.impl("_cdist_backward", TORCH_FN(distancesBackward));
    kernels.impl("_pdist_forward", TORCH_FN(distancesOfRows));
    kernels.impl("_pdist_backward", TORCH_FN(distancesOfRowsBackward));
}

} // namespace headroom::collectors
