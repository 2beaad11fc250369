// SPDX-License-Identifier: Apache-2.0
#include "profiling/kernels/KernelFamilies.h"

#include "profiling/kernels/IteratedShapes.h"
#include "profiling/kernels/OpArguments.h"

namespace headroom::collectors {
namespace {

using OptionalType = std::optional<at::ScalarType>;

at::Tensor productOf(const at::Tensor& left, const at::Tensor& right, at::ScalarType type)
{
    return at::empty({left.size(0), right.size(1)}, left.options().dtype(type));
}

at::Tensor& productInto(const at::Tensor& left, const at::Tensor& right, at::Tensor& out)
{
    shapeInto(out, {left.size(0), right.size(1)});
    return out;
}

at::Tensor integerProduct(const at::Tensor& left, const at::Tensor& right)
{
    return productOf(left, right, at::kInt);
}

at::Tensor scaledProduct(const at::Tensor& left, const at::Tensor& right, const at::Tensor&, const at::Tensor&,
    const OptionalTensor&, const OptionalTensor&, OptionalType type, bool)
{
    return productOf(left, right, type.value_or(left.scalar_type()));
}

at::Tensor& scaledProductOut(const at::Tensor& left, const at::Tensor& right, const at::Tensor&, const at::Tensor&,
    const OptionalTensor&, const OptionalTensor&, OptionalType, bool, at::Tensor& out)
{
    return productInto(left, right, out);
}

// The right factor of 8-bit weights is stored transposed.
at::Tensor productWithInt8(const at::Tensor& left, const at::Tensor& right, const at::Tensor&)
{
    return at::empty({left.size(0), right.size(0)}, left.options());
}

at::Tensor summedProducts(
    const at::Tensor& input, const at::Tensor& left, const at::Tensor& right, const at::Scalar&, const at::Scalar&)
{
    return at::empty({left.size(1), right.size(2)}, input.options());
}

// aten/src/ATen/native/GroupedMMUtils.h: rows of the result are padded to 16 bytes.
at::Tensor groupedResult(std::vector<std::int64_t> shape, const at::TensorOptions& options)
{
    constexpr std::int64_t kAlignedBytes = 16;
    const std::int64_t step = kAlignedBytes / static_cast<std::int64_t>(options.dtype().itemsize());
    const std::int64_t width = (shape.back() + step - 1) / step * step;
    std::vector<std::int64_t> strides{width, 1};
    if (shape.size() == 3)
        strides.insert(strides.begin(), shape[1] * width);
    return at::empty_strided(shape, strides, options);
}

// The products of groups: rows of the left factor with a right factor for each group, [rows, k] x [groups, k, n]; or a
// sum over a group's rows, [m, rows] x [rows, n].
at::Tensor groupedProduct(const at::Tensor& left, const at::Tensor& right, const OptionalTensor& ends,
    const OptionalTensor&, OptionalType type)
{
    const auto options = left.options().dtype(type.value_or(left.scalar_type()));
    if (left.dim() == 2 && right.dim() == 2)
        return groupedResult({ends->size(0), left.size(0), right.size(1)}, options);
    if (left.dim() == 2)
        return groupedResult({left.size(0), right.size(-1)}, options);
    return right.dim() == 2 ? groupedResult({left.size(1), right.size(1)}, options)
                            : groupedResult({left.size(0), left.size(1), right.size(-1)}, options);
}

at::Tensor linearCombination(const at::Tensor& input, const at::Tensor& coefficients)
{
    std::vector<std::int64_t> shape = input.sizes().vec();
    shape[0] = coefficients.size(0);
    return at::empty(shape, input.options());
}

at::Tensor solvedTriangle(const at::Tensor& matrix, const at::Tensor& right, bool, bool, bool)
{
    std::vector<std::int64_t> batch =
        at::infer_size(matrix.sizes().slice(0, static_cast<std::size_t>(matrix.dim() - 2)),
            right.sizes().slice(0, static_cast<std::size_t>(right.dim() - 2)));
    batch.push_back(right.size(-1));
    batch.push_back(right.size(-2));
    return at::empty(batch, right.options()).mT();
}

} // namespace

void registerMatrixKernels(torch::Library& kernels)
{
    kernels.impl("_int_mm", TORCH_FN(integerProduct));
    kernels.impl("_int_mm.out", TORCH_FN(productInto));
    kernels.impl("_scaled_mm", TORCH_FN(scaledProduct));
    kernels.impl("_scaled_mm.out", TORCH_FN(scaledProductOut));
    kernels.impl("_weight_int8pack_mm", TORCH_FN(productWithInt8));
    kernels.impl("addbmm", TORCH_FN(summedProducts));
    kernels.impl("_grouped_mm", TORCH_FN(groupedProduct));
    kernels.impl("_compute_linear_combination", TORCH_FN(linearCombination));
    kernels.impl("linalg_solve_triangular", TORCH_FN(solvedTriangle));
}

} // namespace headroom::collectors
