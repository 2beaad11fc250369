// SPDX-License-Identifier: Apache-2.0
#include "profiling/kernels/IndexSorting.h"

#include "profiling/kernels/KernelRules.h"
#include "profiling/simulator/rules/SortRules.h"

namespace headroom::collectors {

void sortIndices(const at::Tensor& indices, std::int64_t bits)
{
    const at::Tensor range = at::empty({indices.numel()}, indices.options());
    const at::Tensor scratch = sortScratch(indices, range, bits);
}

at::Tensor sortScratch(const at::Tensor& keys, const at::Tensor& values, std::int64_t bits)
{
    const simulator::SortedPairs pairs{.count = keys.numel(),
        .keyBytes = static_cast<Bytes>(keys.element_size()),
        .valueBytes = static_cast<Bytes>(values.element_size()),
        .keyBits = bits};
    return at::empty(
        {simulator::sortScratch(pairs, KernelRules::active()->capability())}, keys.options().dtype(at::kByte));
}

} // namespace headroom::collectors
