// SPDX-License-Identifier: Apache-2.0
#include "profiling/kernels/KernelFamilies.h"

#include "profiling/kernels/IndexSorting.h"
#include "profiling/kernels/KernelRules.h"
#include "profiling/kernels/OpArguments.h"
#include "profiling/simulator/rules/SortRules.h"

#include <algorithm>

namespace headroom::collectors {
namespace {

at::Tensor embedding(const at::Tensor& weight, const at::Tensor& indices, c10::SymInt, bool, bool)
{
    std::vector<std::int64_t> shape = indices.sizes().vec();
    shape.push_back(weight.size(1));
    return at::empty(shape, weight.options());
}

at::ScalarType gradientSumType(const at::Tensor& gradient)
{
    return gradient.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
}

// aten/src/ATen/native/cuda/Embedding.cu: few rows are added one by one; for many the indices are sorted, by all bits.
struct SortedRows {
    at::Tensor indices;
    at::Tensor places;

    explicit SortedRows(const at::Tensor& of)
        : indices(at::empty({of.numel()}, of.options()))
        , places(at::empty({of.numel()}, of.options()))
    {
        sortIndices(of, static_cast<std::int64_t>(of.element_size()) * 8);
    }
};

void useStorage(Bytes bytes, const at::Tensor& like)
{
    const at::Tensor storage = at::empty({bytes}, like.options().dtype(at::kByte));
}

// Where another index begins, and how many do: picked from the numbered places.
std::vector<at::Tensor> segmentStarts(const at::Tensor& indices)
{
    const std::int64_t rows = indices.numel();
    std::vector<at::Tensor> starts{
        at::empty({rows}, indices.options()), at::empty({}, indices.options().dtype(at::kLong))};
    const at::Tensor places = at::empty({rows}, indices.options());
    useStorage(simulator::uniqueScratch(rows, KernelRules::active()->capability()), indices);
    return starts;
}

// Where many sums are of few rows of the table, each sum is added to the table's row at once (LibTorch 2.11).
bool addsAtOnce(std::int64_t segments, std::int64_t sums)
{
    constexpr std::int64_t kFew = 4;
    const KernelRules& rules = *KernelRules::active();
    return rules.runtime().isSince(2, 11) && segments < kFew * rules.multiprocessors() && sums > kFew * segments;
}

// EmbeddingBackwardKernel.cu: sums of at most ten rows of the same index are computed in float32 first.
void usePartialSums(const at::Tensor& gradient, const at::Tensor& indices, std::int64_t tableRows)
{
    constexpr std::int64_t kRowsPerSum = 10;
    const std::int64_t rows = indices.numel();
    const std::int64_t segments = std::min(rows, tableRows);
    const std::int64_t sums = rows / kRowsPerSum + segments;
    const auto numbers = indices.options();
    const auto summed = gradient.options().dtype(gradientSumType(gradient));
    std::vector<at::Tensor> scratch = segmentStarts(indices);
    scratch.push_back(at::empty({segments}, numbers)); // sums for each, and where they begin
    scratch.push_back(at::empty({segments}, numbers));
    useStorage(simulator::scanScratch(segments), indices);
    scratch.push_back(at::empty({}, numbers.dtype(at::kLong)));
    scratch.push_back(at::empty({sums}, numbers));
    if (!addsAtOnce(segments, sums)) {
        scratch.push_back(at::empty({sums, gradient.size(-1)}, summed));
        return;
    }
    scratch.push_back(at::empty({sums}, numbers));
    if (at::isReducedFloatingType(gradient.scalar_type()))
        scratch.push_back(at::empty({segments, gradient.size(-1)}, summed));
}

at::Tensor gradientTable(const at::Tensor& gradient, std::int64_t tableRows)
{
    return at::empty({tableRows, gradient.size(-1)}, gradient.options());
}

at::Tensor embeddingBackward(const at::Tensor& gradient, const at::Tensor& indices, c10::SymInt rows, c10::SymInt, bool)
{
    constexpr std::int64_t kMostUnsorted = 3072;
    const std::int64_t tableRows = rows.expect_int();
    const at::Tensor denseIndices = indices.contiguous();
    const at::Tensor dense = gradient.contiguous();
    if (KernelRules::activeOfCuda() == nullptr || indices.numel() <= kMostUnsorted)
        return gradientTable(dense, tableRows);
    const SortedRows sorted(denseIndices);
    at::Tensor result = gradientTable(dense, tableRows);
    usePartialSums(dense, denseIndices, tableRows);
    return result;
}

// The modes of embedding_bag.
enum class BagMode : std::int64_t { Sum = 0, Mean = 1, Max = 2 };

using FourResults = std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor>;

struct Bags {
    std::int64_t count;
    at::TensorOptions numbers; ///< of indices and offsets, in their common type

    Bags(const at::Tensor& indices, const at::Tensor& offsets, bool includesLast)
        : count(offsets.size(0) - (includesLast ? 1 : 0))
        , numbers(indices.options().dtype(at::promote_types(indices.scalar_type(), offsets.scalar_type())))
    {
    }
};

// aten/src/ATen/native/cuda/EmbeddingBag.cu: the bag of each index, the size of each bag, and for maxima which index
// each of them is from.
FourResults bagsOnCuda(
    const at::Tensor& weight, const at::Tensor& indices, const at::Tensor& offsets, BagMode mode, const Bags& bags)
{
    at::Tensor sizes = at::empty(offsets.sizes(), bags.numbers);
    at::Tensor bagOfIndex = at::empty({indices.size(0)}, bags.numbers);
    at::Tensor output = at::empty({bags.count, weight.size(1)}, weight.options());
    at::Tensor chosen =
        mode == BagMode::Max ? at::empty({bags.count, weight.size(1)}, bags.numbers) : at::empty({0}, bags.numbers);
    return {output, bagOfIndex, sizes, chosen};
}

// The CPU counts in a tensor of one number more.
at::Tensor bagOfEachIndex(std::int64_t indices, const at::TensorOptions& numbers)
{
    return at::empty({indices + 1}, numbers).resize_({indices});
}

// aten/src/ATen/native/EmbeddingBag.cpp: sums of float rows need no bag of each index (is_fast_path); sizes only for
// means and maxima, or for a backward pass.
FourResults bagsOnCpu(const at::Tensor& weight, const at::Tensor& indices, const at::Tensor& offsets, BagMode mode,
    const Bags& bags, bool isForwardOnly)
{
    const at::ScalarType type = weight.scalar_type();
    const bool isFast = mode == BagMode::Sum && weight.stride(1) == 1
        && (type == at::kFloat || type == at::kHalf || type == at::kBFloat16);
    at::Tensor bagOfIndex = isFast ? at::empty({0}, bags.numbers) : bagOfEachIndex(indices.size(0), bags.numbers);
    at::Tensor output = at::empty({bags.count, weight.size(1)}, weight.options());
    at::Tensor sizes = at::empty(offsets.sizes(), bags.numbers);
    if (!isForwardOnly || mode != BagMode::Sum)
        sizes.resize_({bags.count});
    at::Tensor chosen = mode == BagMode::Max ? at::empty({bags.count, weight.size(1)}, bags.numbers)
                                             : at::empty(sizes.sizes(), bags.numbers);
    return {output, bagOfIndex, sizes, chosen};
}

template <bool isForwardOnly>
FourResults embeddingBag(const at::Tensor& weight, const at::Tensor& indices, const at::Tensor& offsets, bool,
    std::int64_t mode, bool, const OptionalTensor&, bool includesLast, std::int64_t)
{
    const Bags bags(indices, offsets, includesLast);
    if (KernelRules::activeOfCuda() != nullptr)
        return bagsOnCuda(weight, indices, offsets, BagMode(mode), bags);
    return bagsOnCpu(weight, indices, offsets, BagMode(mode), bags, isForwardOnly);
}

// As of an embedding, but the indices are always sorted; maxima are added one by one.
at::Tensor embeddingBagDenseBackward(const at::Tensor& gradient, const at::Tensor& indices, const at::Tensor&,
    const at::Tensor&, const at::Tensor&, std::int64_t rows, bool, std::int64_t mode, const OptionalTensor&,
    std::int64_t)
{
    const at::Tensor dense = gradient.contiguous();
    const bool areSorted =
        KernelRules::activeOfCuda() != nullptr && BagMode(mode) != BagMode::Max && indices.numel() > 0;
    if (!areSorted)
        return gradientTable(dense, rows);
    const SortedRows sorted(indices);
    at::Tensor result = gradientTable(dense, rows);
    usePartialSums(dense, indices, rows);
    return result;
}

at::Tensor embeddingBagBackward(const at::Tensor& gradient, const at::Tensor& indices, const at::Tensor&,
    const at::Tensor& bagOfIndex, const at::Tensor& sizes, const at::Tensor& chosen, std::int64_t rows,
    bool scalesByFrequency, std::int64_t mode, bool isSparse, const OptionalTensor& weights, std::int64_t padding)
{
    TORCH_CHECK_NOT_IMPLEMENTED(!isSparse, "embedding_bag: a sparse gradient is not simulated");
    const at::Tensor dense = indices.contiguous();
    return embeddingBagDenseBackward(
        gradient, dense, bagOfIndex, sizes, chosen, rows, scalesByFrequency, mode, weights, padding);
}

at::Tensor embeddingBagWeightsBackward(const at::Tensor& gradient, const at::Tensor&, const at::Tensor& indices,
    const at::Tensor&, const at::Tensor&, std::int64_t, std::int64_t)
{
    return at::empty({indices.size(0)}, gradient.options());
}

} // namespace

void registerEmbeddingKernels(torch::Library& kernels)
{
    kernels.impl("embedding", TORCH_FN(embedding));
    kernels.impl("embedding_dense_backward", TORCH_FN(embeddingBackward));
    kernels.impl("_embedding_bag", TORCH_FN(embeddingBag<false>));
    kernels.impl("_embedding_bag_forward_only", TORCH_FN(embeddingBag<true>));
    kernels.impl("_embedding_bag_backward", TORCH_FN(embeddingBagBackward));
    kernels.impl("_embedding_bag_dense_backward", TORCH_FN(embeddingBagDenseBackward));
    kernels.impl("_embedding_bag_per_sample_weights_backward", TORCH_FN(embeddingBagWeightsBackward));
}

} // namespace headroom::collectors
