// SPDX-License-Identifier: Apache-2.0
#include "profiling/kernels/EmbeddingKernels.h"

#include "profiling/kernels/KernelRules.h"
#include "profiling/kernels/SortScratch.h"

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

// aten/src/ATen/native/cuda/Embedding.cu: few rows are added one by one, of many the indices are sorted. It is asked to
// sort by all bits.
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

// EmbeddingBackwardKernel.cu: sums of at most ten rows of the same index are formed in float32 first. What CUB takes to
// find where an index begins and to count sums, 16 bytes for each of its tiles, is given back before the sums are there
// and left out.
std::vector<at::Tensor> partialSums(const at::Tensor& gradient, const at::Tensor& indices, std::int64_t tableRows)
{
    constexpr std::int64_t kRowsPerSum = 10;
    const std::int64_t rows = indices.numel();
    const std::int64_t segments = std::min(rows, tableRows);
    const std::int64_t sums = rows / kRowsPerSum + segments;
    const auto numbers = indices.options(), count = indices.options().dtype(at::kLong);
    std::vector<at::Tensor> scratch{at::empty({rows}, numbers), at::empty({}, count)}; // where each index begins
    scratch.push_back(at::empty({segments}, numbers)); // sums for each, and where those begin
    scratch.push_back(at::empty({segments}, numbers));
    scratch.push_back(at::empty({}, count));
    scratch.push_back(at::empty({sums}, numbers));
    scratch.push_back(at::empty({sums, gradient.size(-1)}, gradient.options().dtype(gradientSumType(gradient))));
    return scratch;
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
    partialSums(dense, denseIndices, tableRows);
    return result;
}

} // namespace

void registerEmbeddingKernels(torch::Library& kernels)
{
    kernels.impl("embedding", TORCH_FN(embedding));
    kernels.impl("embedding_dense_backward", TORCH_FN(embeddingBackward));
}

} // namespace headroom::collectors
