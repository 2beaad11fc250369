// SPDX-License-Identifier: Apache-2.0
#include "profiling/kernels/KernelFamilies.h"

#include "profiling/kernels/IndexSorting.h"
#include "profiling/kernels/IteratedShapes.h"
#include "profiling/kernels/KernelRules.h"

#include <cmath>

namespace headroom::collectors {
namespace {

// aten/src/ATen/native/TensorAdvancedIndexing.cpp copies the input; aten/src/ATen/native/cuda/Indexing.cu counts the
// mask's true elements up to each one, and reads mask and source in one piece. The storage of CUB's running sum, some
// bytes for each tile, is left out.
at::Tensor maskedScatter(const at::Tensor& input, const at::Tensor& mask, const at::Tensor& source)
{
    const auto [widened, whole] = at::expand_outplace(mask, input);
    at::Tensor result = at::empty(whole->sizes(), input.options());
    if (KernelRules::activeOfCuda() == nullptr)
        return result;
    const at::Tensor sums = at::empty(result.sizes(), mask.options().dtype(at::kLong));
    const at::Tensor denseMask = widened->contiguous();
    const at::Tensor denseSource = source.contiguous();
    return result;
}

// Of the gradient what the mask has, filled up to the source's size: here taken to be all of it, as where images take
// the places of tokens. Selecting by a mask finds the places first.
at::Tensor maskedScatterBackward(const at::Tensor& gradient, const at::Tensor& mask, at::IntArrayRef sizes)
{
    const std::int64_t count = c10::multiply_integers(sizes);
    if (KernelRules::activeOfCuda() == nullptr)
        return at::empty(sizes, gradient.options());
    const at::Tensor places =
        at::empty({std::max<std::int64_t>(1, gradient.dim()), count}, mask.options().dtype(at::kLong));
    return at::empty(sizes, gradient.options());
}

// aten/src/ATen/native/cuda/Randperm.cu: so many random bits that keys repeat in one of ten orders at most.
std::int64_t bitsOfKeys(std::int64_t count)
{
    const auto n = static_cast<double>(count);
    const double repeats = std::log(0.9) * 12;
    return std::min<std::int64_t>(64, static_cast<std::int64_t>(std::ceil(std::log2(n - (6 * n * n + 1) / repeats))));
}

void sortRandomly(std::int64_t count, const at::Tensor& out)
{
    constexpr std::int64_t kBitsOfInt = 32;
    const std::int64_t bits = bitsOfKeys(count);
    const auto options = out.options().dtype(bits <= kBitsOfInt ? at::kInt : at::kLong);
    const at::Tensor range = at::empty({count}, out.options());
    const at::Tensor shuffled = out.is_contiguous() ? at::Tensor() : at::empty({count}, out.options());
    const at::Tensor keys = at::empty({count}, options);
    const at::Tensor sortedKeys = at::empty({count}, options);
    const at::Tensor scratch = sortScratch(keys, range, bits);
}

at::Tensor& randomOrderOut(std::int64_t count, std::optional<at::Generator>, at::Tensor& out)
{
    shapeInto(out, {count});
    if (KernelRules::activeOfCuda() != nullptr && count > 0)
        sortRandomly(count, out);
    return out;
}

} // namespace

void registerMaskedKernels(torch::Library& kernels)
{
    kernels.impl("masked_scatter", TORCH_FN(maskedScatter));
    kernels.impl("masked_scatter_backward", TORCH_FN(maskedScatterBackward));
    kernels.impl("randperm.generator_out", TORCH_FN(randomOrderOut));
}

} // namespace headroom::collectors
