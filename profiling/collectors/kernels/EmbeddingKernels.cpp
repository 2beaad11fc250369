// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/kernels/EmbeddingKernels.h"

#include "profiling/collectors/kernels/KernelRules.h"

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

// Few rows are added one by one (aten/src/ATen/native/cuda/Embedding.cu). Of many the indices are sorted, and sums of
// at most ten rows of the same index are formed in float32 first (EmbeddingBackwardKernel.cu).
std::vector<at::Tensor> scratchOnCuda(const at::Tensor& gradient, const at::Tensor& indices, std::int64_t tableRows)
{
    constexpr std::int64_t kMostUnsorted = 3072;
    constexpr std::int64_t kRowsPerSum = 10;
    const std::int64_t rows = indices.numel();
    if (rows <= kMostUnsorted)
        return {};
    const std::int64_t segments = std::min(rows, tableRows);
    const std::int64_t sums = rows / kRowsPerSum + segments;
    std::vector<at::Tensor> scratch;
    for (const std::int64_t length :
        {rows, rows, rows, segments, segments, sums}) // sorted, where from, first of each …
        scratch.push_back(at::empty({length}, indices.options()));
    scratch.push_back(at::empty({sums, gradient.size(-1)}, gradient.options().dtype(gradientSumType(gradient))));
    return scratch;
}

at::Tensor embeddingBackward(const at::Tensor& gradient, const at::Tensor& indices, c10::SymInt rows, c10::SymInt, bool)
{
    const std::int64_t tableRows = rows.expect_int();
    const at::Tensor dense = gradient.contiguous();
    at::Tensor result = at::empty({tableRows, gradient.size(-1)}, gradient.options());
    const KernelRules* rules = KernelRules::active();
    if (rules != nullptr && !rules->imitatesCpu())
        scratchOnCuda(dense, indices, tableRows);
    return result;
}

} // namespace

void registerEmbeddingKernels(torch::Library& kernels)
{
    kernels.impl("embedding", TORCH_FN(embedding));
    kernels.impl("embedding_dense_backward", TORCH_FN(embeddingBackward));
}

} // namespace headroom::collectors
