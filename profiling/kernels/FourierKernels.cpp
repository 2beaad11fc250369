// SPDX-License-Identifier: Apache-2.0
#include "profiling/kernels/KernelFamilies.h"

#include "profiling/kernels/KernelRules.h"

#include <algorithm>
#include <numeric>

namespace headroom::collectors {
namespace {

using Dimensions = std::vector<std::int64_t>;

std::int64_t extentAt(const Dimensions& sizes, std::int64_t dimension)
{
    return sizes[static_cast<std::size_t>(dimension)];
}

void sortByStride(Dimensions& dimensions, std::size_t count, const at::Tensor& input)
{
    std::stable_sort(dimensions.begin(), dimensions.begin() + static_cast<std::ptrdiff_t>(count),
        [&](std::int64_t a, std::int64_t b) { return input.stride(a) > input.stride(b); });
}

// The result of one transform: dimensions that are not transformed come first in memory, in the input's order, then the
// transformed ones (_exec_fft of aten/src/ATen/native/cuda/SpectralOps.cpp and mkl/SpectralOps.cpp).
at::Tensor transformed(const at::Tensor& input, const Dimensions& sizes, const Dimensions& signal, at::ScalarType type)
{
    Dimensions order;
    for (std::int64_t i = 0; i < input.dim(); ++i)
        if (std::ranges::find(signal, i) == signal.end())
            order.push_back(i);
    sortByStride(order, order.size(), input);
    order.insert(order.end(), signal.begin(), signal.end());
    Dimensions stored, places(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        stored.push_back(extentAt(sizes, order[i]));
        places[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
    }
    return at::empty(stored, input.options().dtype(type)).permute(places);
}

Dimensions wrapped(const at::Tensor& input, at::IntArrayRef dimensions)
{
    Dimensions result;
    for (const std::int64_t dimension : dimensions)
        result.push_back(at::maybe_wrap_dim(dimension, input.dim()));
    return result;
}

bool isOnCuda()
{
    return KernelRules::activeOfCuda() != nullptr;
}

// cuFFT transforms three dimensions at once.
constexpr std::size_t kMostOfCufft = 3;

// use_optimized_cufft_path: all at once, except where the first two dimensions of a tensor are the signal's first.
bool isOneTransform(const Dimensions& signal)
{
    const bool beginsWithBatch = signal.size() >= 2 && signal[0] == 0 && signal[1] == 1;
    return signal.size() <= kMostOfCufft && !beginsWithBatch;
}

// Complex to complex: on CUDA up to three dimensions at a time, between two buffers.
at::Tensor complexTransform(const at::Tensor& input, const Dimensions& dimensions)
{
    Dimensions rest = dimensions;
    const Dimensions sizes = input.sizes().vec();
    at::Tensor result = input, previous;
    while (!rest.empty()) {
        sortByStride(rest, rest.size(), result);
        const std::size_t count = isOnCuda() ? std::min(kMostOfCufft, rest.size()) : rest.size();
        const Dimensions now(rest.end() - static_cast<std::ptrdiff_t>(count), rest.end());
        previous = std::exchange(result, transformed(result, sizes, now, input.scalar_type()));
        rest.resize(rest.size() - count);
    }
    return result;
}

at::Tensor complexToComplex(const at::Tensor& input, at::IntArrayRef dimensions, std::int64_t, bool)
{
    return dimensions.empty() ? at::empty_like(input) : complexTransform(input, wrapped(input, dimensions));
}

// The last dimension first; then the others, complex to complex.
at::Tensor realToComplex(const at::Tensor& input, at::IntArrayRef dimensions, std::int64_t, bool isOneSided)
{
    Dimensions signal = wrapped(input, dimensions), half = input.sizes().vec();
    std::int64_t& last = half[static_cast<std::size_t>(signal.back())];
    last = last / 2 + 1;
    const Dimensions sizes = isOneSided ? half : input.sizes().vec();
    const at::ScalarType type = c10::toComplexType(input.scalar_type());
    if (!isOnCuda() || isOneTransform(signal)) {
        if (!isOnCuda())
            sortByStride(signal, signal.size() - 1, input);
        return transformed(input, sizes, signal, type);
    }
    const at::Tensor first = transformed(input, half, {signal.back()}, type);
    signal.pop_back();
    const at::Tensor onesided = complexTransform(first, signal);
    return isOneSided ? onesided : at::empty(sizes, onesided.options());
}

// The inverse transform may overwrite its input, which is therefore copied.
at::Tensor complexToReal(const at::Tensor& input, at::IntArrayRef dimensions, std::int64_t, std::int64_t lastSize)
{
    Dimensions signal = wrapped(input, dimensions), sizes = input.sizes().vec();
    sizes[static_cast<std::size_t>(signal.back())] = lastSize;
    const at::ScalarType type = c10::toRealValueType(input.scalar_type());
    at::Tensor copy = input;
    if (isOnCuda() && isOneTransform(signal)) {
        copy = at::empty(input.sizes(), input.options());
        return transformed(copy, sizes, signal, type);
    }
    if (signal.size() > 1)
        copy = complexTransform(input, {signal.begin(), signal.end() - 1});
    else if (isOnCuda())
        copy = at::empty(input.sizes(), input.options());
    return transformed(copy, sizes, {signal.back()}, type);
}

} // namespace

void registerFourierKernels(torch::Library& kernels)
{
    kernels.impl("_fft_c2c", TORCH_FN(complexToComplex));
    kernels.impl("_fft_r2c", TORCH_FN(realToComplex));
    kernels.impl("_fft_c2r", TORCH_FN(complexToReal));
}

} // namespace headroom::collectors
