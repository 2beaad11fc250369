// SPDX-License-Identifier: Apache-2.0
#include "profiling/kernels/AttentionMask.h"

#include "core/base/Bytes.h"

#include <vector>

namespace headroom::collectors {
namespace {

constexpr std::int64_t kReadStep = 8;
constexpr std::int64_t kWriteStep = 16;

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

} // namespace headroom::collectors
