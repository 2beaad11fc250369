// SPDX-License-Identifier: Apache-2.0
#include "profiling/kernels/ValueDependent.h"

#include "profiling/kernels/KernelFamilies.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace headroom::collectors {
namespace {

constexpr std::array<std::string_view, 24> kByValues{"nonzero", "nonzero.out", "masked_select", "masked_select.out",
    "_unique", "_unique2", "unique_dim", "unique_consecutive", "unique_dim_consecutive", "bincount",
    "_local_scalar_dense", "equal", "is_set_to", "_ctc_loss.Tensor", "_ctc_loss_backward.Tensor", "_to_sparse",
    "_to_sparse.sparse_dim", "_to_sparse_csr", "_to_sparse_csc", "_to_sparse_bsr", "_to_sparse_bsc",
    "_nested_tensor_from_mask", "_nested_tensor_from_mask_left_aligned", "segment_reduce"};

void refuse(const c10::OperatorHandle& op, torch::jit::Stack*)
{
    TORCH_CHECK_NOT_IMPLEMENTED(false, op.schema().name(),
        " depends on the values of its tensors, which a simulated device does not have: measure this model instead");
}

} // namespace

bool dependsOnValues(const std::string& op)
{
    constexpr std::string_view kNamespace = "aten::";
    return op.starts_with(kNamespace)
        && std::ranges::find(kByValues, std::string_view(op).substr(kNamespace.size())) != kByValues.end();
}

void registerRefusals(torch::Library& kernels)
{
    for (const std::string_view name : kByValues)
        kernels.impl(std::string(name).c_str(), torch::CppFunction::makeFromBoxedFunction<&refuse>());
}

} // namespace headroom::collectors
