// SPDX-License-Identifier: Apache-2.0
#include "profiling/kernels/IndexSorting.h"

#include "profiling/kernels/KernelRules.h"
#include "profiling/simulator/rules/SortRules.h"

namespace headroom::collectors {

void sortIndices(const at::Tensor& indices, std::int64_t bits)
{
    const auto bytes = static_cast<Bytes>(indices.element_size());
    const simulator::SortedPairs pairs{
        .count = indices.numel(), .keyBytes = bytes, .valueBytes = bytes, .keyBits = bits};
    const at::Tensor range = at::empty({indices.numel()}, indices.options());
    const Bytes scratchBytes = simulator::sortScratch(pairs, KernelRules::active()->capability());
    const at::Tensor scratch = at::empty({scratchBytes}, indices.options().dtype(at::kByte));
}

} // namespace headroom::collectors
