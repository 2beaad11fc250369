// SPDX-License-Identifier: Apache-2.0
#include "profiling/kernels/MathAttention.h"

#include "core/base/Bytes.h"

#include <cmath>
#include <limits>
#include <vector>

namespace headroom::collectors {
namespace {

constexpr std::int64_t kReadStep = 8;
constexpr std::int64_t kWriteStep = 16;

at::Tensor raised(const at::Tensor& tensor)
{
    const bool isSummedAsIs = at::globalContext().allowFP16BF16ReductionMathSDP();
    return at::isReducedFloatingType(tensor.scalar_type()) && !isSummedAsIs ? tensor.to(at::kFloat) : tensor;
}

at::Tensor causalMask(const at::Tensor& query, const at::Tensor& key)
{
    const at::Tensor kept = at::ones({query.size(-2), key.size(-2)}, query.options().dtype(at::kBool)).tril();
    const auto lowest = -std::numeric_limits<double>::infinity();
    return at::where(kept, 0.0, at::scalar_tensor(lowest, query.options()));
}

// Keys or values that several heads share, repeated for each of them.
at::Tensor forEachHead(const at::Tensor& shared, std::int64_t heads)
{
    const std::int64_t there = shared.size(-3);
    return there == heads ? shared : shared.repeat_interleave(heads / there, -3);
}

bool hasAlignedRows(const at::Tensor& mask)
{
    for (std::int64_t i = 0; i + 1 < mask.dim(); ++i)
        if (mask.stride(i) % kReadStep != 0)
            return false;
    return mask.stride(-1) == 1;
}

} // namespace

at::Tensor alignedMask(const at::Tensor& mask)
{
    if (hasAlignedRows(mask))
        return mask;
    const std::int64_t columns = mask.size(-1);
    return at::constant_pad_nd(mask, {0, kReadStep - columns % kReadStep}).narrow(-1, 0, columns);
}

at::Tensor gradientOfMask(const at::Tensor& mask)
{
    std::vector<std::int64_t> shape = mask.sizes().vec();
    shape.back() = roundUp(shape.back(), kWriteStep);
    return at::empty(shape, mask.options()).narrow(-1, 0, mask.size(-1));
}

at::Tensor maskedMathAttention(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
    const OptionalTensor& mask, double dropout, std::optional<double> scale, bool groupedQueries)
{
    const at::ScalarType type = query.scalar_type();
    at::Tensor returned; // LibTorch's second result, which nobody uses: it lives until all else is freed
    const at::Tensor queries = raised(query), ownKeys = raised(key), ownValues = raised(value);
    const double factor = scale.value_or(1.0 / std::sqrt(static_cast<double>(query.size(-1))));
    const double root = std::sqrt(std::abs(factor));
    const at::Tensor scaled = queries * (factor < 0 ? -root : root);
    const at::Tensor added = isGiven(mask) ? *mask : causalMask(scaled, ownKeys);
    // What is raised lives beside what is repeated until the function ends, as in LibTorch.
    const at::Tensor keys = groupedQueries ? forEachHead(ownKeys, query.size(-3)) : ownKeys;
    const at::Tensor values = groupedQueries ? forEachHead(ownValues, query.size(-3)) : ownValues;
    at::Tensor weights = at::matmul(scaled, keys.transpose(-2, -1) * root);
    weights.add_(added);
    weights = at::_safe_softmax(weights, -1);
    if (dropout > 0)
        weights = at::dropout(weights, dropout, true);
    returned = weights.to(type);
    return at::matmul(weights, values).to(type);
}

} // namespace headroom::collectors
