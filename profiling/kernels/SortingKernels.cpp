// SPDX-License-Identifier: Apache-2.0
#include "profiling/kernels/IndexSorting.h"
#include "profiling/kernels/KernelFamilies.h"
#include "profiling/kernels/KernelRules.h"
#include "profiling/simulator/rules/SortRules.h"

namespace headroom::collectors {
namespace {

constexpr Bytes kPosition = 8;

at::Tensor taken(Bytes bytes, const at::Tensor& like)
{
    return at::empty({bytes}, like.options().dtype(at::kByte));
}

// CUB's temporary storage for so many of the keys with values of 8 bytes.
at::Tensor radixScratch(const at::Tensor& keys, std::int64_t count)
{
    const auto bytes = static_cast<Bytes>(keys.element_size());
    const simulator::SortedPairs pairs{
        .count = count, .keyBytes = bytes, .valueBytes = kPosition, .keyBits = 8 * bytes};
    return taken(simulator::sortScratch(pairs, KernelRules::active()->capability()), keys);
}

// SortStable.cu, segmented_sort_large_segments: one row after the other.
void sortRows(const at::Tensor& keys, std::int64_t width)
{
    const at::Tensor places = taken(width * kPosition, keys);
    for (std::int64_t row = 0; row < keys.numel() / width; ++row)
        radixScratch(keys, width);
}

// segmented_sort_pairs_by_full_sort: by value, then by row, which takes less.
void sortTwice(const at::Tensor& keys)
{
    const at::Tensor places = taken(keys.numel() * kPosition, keys);
    const at::Tensor sortedPlaces = taken(keys.numel() * kPosition, keys);
    const at::Tensor sortedKeys = taken(keys.numel() * static_cast<Bytes>(keys.element_size()), keys);
    const at::Tensor scratch = radixScratch(keys, keys.numel());
}

// segmented_sort_pairs: cub::DeviceSegmentedRadixSort keeps keys and positions between its passes.
void sortSegments(const at::Tensor& keys)
{
    constexpr Bytes kAlignment = 256;
    const auto aligned = [](Bytes bytes) { return roundUp(bytes, kAlignment); };
    const Bytes bytes = keys.numel() * static_cast<Bytes>(keys.element_size());
    const at::Tensor places = taken(keys.numel() * kPosition, keys);
    const at::Tensor scratch = taken(aligned(bytes) + aligned(keys.numel() * kPosition) + kAlignment - 1, keys);
}

// aten/src/ATen/native/cuda/Sort.cpp, sort_cuda_kernel
void takeForSorting(const at::Tensor& input, const at::Tensor& values, const at::Tensor& places, std::int64_t dimension)
{
    const std::int64_t width = input.dim() == 0 ? 1 : input.size(dimension);
    if (width <= kMostSortedInPlace) {
        taken(width * kPosition, input); // a range, copied into the positions
        return;
    }
    const bool isInOrder = input.is_non_overlapping_and_dense() && input.stride(dimension) == 1;
    const at::Tensor keys = isInOrder ? input : at::empty(input.sizes(), input.options());
    const bool isResultInOrder = values.stride(dimension) == 1;
    const at::Tensor sorted = isResultInOrder ? values : at::empty(input.sizes(), values.options());
    const at::Tensor sortedPlaces = isResultInOrder ? places : at::empty(input.sizes(), places.options());
    constexpr std::int64_t kWide = 1'000'000, kMany = 128;
    const std::int64_t rows = keys.numel() / width;
    if (rows == 1 || width >= kWide)
        sortRows(keys, width);
    else if (rows < kMany)
        sortTwice(keys);
    else
        sortSegments(keys);
}

std::tuple<at::Tensor, at::Tensor> sortStable(
    const at::Tensor& input, std::optional<bool>, std::int64_t dimension, bool)
{
    const std::vector<std::int64_t> strides = input.is_non_overlapping_and_dense()
        ? input.strides().vec()
        : at::infer_dense_strides(input.sizes(), input.strides());
    const at::Tensor values = at::empty_strided(input.sizes(), strides, input.options());
    const at::Tensor places = at::empty_strided(input.sizes(), strides, input.options().dtype(at::kLong));
    const std::int64_t wrapped = at::maybe_wrap_dim(dimension, input.dim());
    if (KernelRules::activeOfCuda() != nullptr && input.numel() > 0)
        takeForSorting(input, values, places, wrapped);
    return {values, places};
}

} // namespace

std::int64_t sortPasses(const at::Tensor& keys, std::int64_t width)
{
    return width <= kMostSortedInPlace ? 1 : keys.element_size(); // a pass sorts by 8 bits
}

void registerSortingKernels(torch::Library& kernels)
{
    kernels.impl("sort.stable", TORCH_FN(sortStable));
}

} // namespace headroom::collectors
