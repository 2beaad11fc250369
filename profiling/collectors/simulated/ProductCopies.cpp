// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/simulated/ProductCopies.h"

#include <algorithm>

namespace headroom::collectors {
namespace {

// One dimension is dense, and what lies along the other does not overlap.
bool hasDenseLines(const at::Tensor& factor)
{
    const std::int64_t rows = factor.size(-2), columns = factor.size(-1);
    const bool areRows = factor.stride(-1) == 1 && factor.stride(-2) >= std::max<std::int64_t>(1, columns);
    const bool areColumns = factor.stride(-2) == 1 && factor.stride(-1) >= std::max<std::int64_t>(1, rows);
    return areRows || areColumns;
}

bool isReadInPlace(const at::Tensor& factor)
{
    if (hasDenseLines(factor))
        return true;
    if (factor.dim() == 2)
        return factor.is_non_overlapping_and_dense();
    return factor.is_contiguous() && factor.stride(1) != 0 && factor.stride(2) != 0;
}

} // namespace

std::vector<Bytes> productCopies(std::string_view name, at::ArrayRef<c10::IValue> arguments)
{
    const std::size_t left = name == "addmm" || name == "baddbmm" ? 1 : 0;
    std::vector<Bytes> copies;
    // A result that lies row by row is computed as the product of the transposed factors, the right one first.
    for (const std::size_t place : {left + 1, left}) {
        const at::Tensor& factor = arguments[place].toTensor();
        if (factor.numel() > 0 && !isReadInPlace(factor))
            copies.push_back(static_cast<Bytes>(factor.nbytes()));
    }
    return copies;
}

} // namespace headroom::collectors
