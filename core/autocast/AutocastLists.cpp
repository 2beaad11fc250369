// SPDX-License-Identifier: Apache-2.0
#include "core/autocast/AutocastLists.h"

#include <ATen/autocast_mode.h>

#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace headroom::tensor {
namespace {

using PolicyTable = std::unordered_map<c10::OperatorName, AutocastPolicy>;

thread_local AutocastLists t_metaLists = AutocastLists::Cuda;

// LibTorch's header has CUDA's lists as macros: "pow, Tensor_Scalar" is an op with its overload.
c10::OperatorName listedOp(std::string_view text)
{
    const std::size_t comma = text.find(',');
    if (comma == std::string_view::npos)
        return {"aten::" + std::string(text), ""};
    return {
        "aten::" + std::string(text.substr(0, comma)), std::string(text.substr(text.find_first_not_of(" ,", comma)))};
}

#define HEADROOM_LISTED_OP(...) listedOp(#__VA_ARGS__),

PolicyTable policiesOfHeader()
{
    const std::pair<AutocastPolicy, std::vector<c10::OperatorName>> lists[]{
        {AutocastPolicy::LowerPrecision, {AT_FORALL_LOWER_PRECISION_FP(HEADROOM_LISTED_OP)}},
        {AutocastPolicy::Float32, {AT_FORALL_FP32(HEADROOM_LISTED_OP)}},
        {AutocastPolicy::Float32Result, {AT_FORALL_FP32_SET_OPT_DTYPE(HEADROOM_LISTED_OP)}},
        {AutocastPolicy::Widest, {AT_FORALL_PROMOTE(HEADROOM_LISTED_OP)}}};
    PolicyTable table;
    for (const auto& [policy, ops] : lists)
        for (const c10::OperatorName& op : ops)
            table.emplace(op, policy);
    return table;
}

#undef HEADROOM_LISTED_OP

// Ops that LibTorch registers beside the header's lists: cuDNN's products, the norms without a type, and one loss that
// is refused.
AutocastPolicy cudaPolicyOf(const PolicyTable& header, const c10::OperatorName& op)
{
    if (const auto it = header.find(op); it != header.end())
        return it->second;
    if (op.name == "aten::norm")
        return AutocastPolicy::Float32Appended;
    return op.name == "aten::binary_cross_entropy" ? AutocastPolicy::Refused : AutocastPolicy::LowerPrecision;
}

// LibTorch lists the CPU's ops only in aten/src/ATen/autocast_mode.cpp. All others that it registers run in float32.
AutocastPolicy cpuPolicyOf(const c10::OperatorName& op)
{
    static const std::set<std::string_view> lower{"aten::conv1d", "aten::conv2d", "aten::conv3d", "aten::bmm",
        "aten::mm", "aten::linalg_vecdot", "aten::baddbmm", "aten::addmm", "aten::_addmm_activation", "aten::addbmm",
        "aten::linear", "aten::_convolution", "aten::matmul", "aten::conv_tbc", "aten::mkldnn_rnn_layer",
        "aten::conv_transpose1d", "aten::conv_transpose2d", "aten::conv_transpose3d", "aten::prelu",
        "aten::scaled_dot_product_attention", "aten::_native_multi_head_attention"};
    static const std::set<std::string_view> widest{"aten::stack", "aten::cat", "aten::index_copy"};
    if (lower.contains(op.name))
        return AutocastPolicy::LowerPrecision;
    return widest.contains(op.name) ? AutocastPolicy::Widest : AutocastPolicy::Float32;
}

// The dispatcher is asked which ops exist, so that the lists match the linked LibTorch.
PolicyTable policiesOf(AutocastLists lists)
{
    const bool isCuda = lists == AutocastLists::Cuda;
    const PolicyTable header = isCuda ? policiesOfHeader() : PolicyTable();
    PolicyTable table;
    for (const c10::OperatorName& op : c10::Dispatcher::singleton().getRegistrationsForDispatchKey(
             isCuda ? c10::DispatchKey::AutocastCUDA : c10::DispatchKey::AutocastCPU))
        table.emplace(op, isCuda ? cudaPolicyOf(header, op) : cpuPolicyOf(op));
    return table;
}

const PolicyTable& policyTable(AutocastLists lists)
{
    static const PolicyTable cpu = policiesOf(AutocastLists::Cpu);
    static const PolicyTable cuda = policiesOf(AutocastLists::Cuda);
    return lists == AutocastLists::Cpu ? cpu : cuda;
}

} // namespace

std::optional<AutocastPolicy> autocastPolicy(AutocastLists lists, const c10::OperatorName& op)
{
    const PolicyTable& table = policyTable(lists);
    const auto it = table.find(op);
    return it == table.end() ? std::nullopt : std::optional(it->second);
}

std::vector<c10::OperatorName> autocastOps()
{
    std::vector<c10::OperatorName> ops;
    for (const auto& [op, policy] : policyTable(AutocastLists::Cuda))
        ops.push_back(op);
    for (const auto& [op, policy] : policyTable(AutocastLists::Cpu))
        if (!policyTable(AutocastLists::Cuda).contains(op))
            ops.push_back(op);
    return ops;
}

AutocastLists autocastListsOf(c10::Device device)
{
    if (device.is_meta())
        return t_metaLists;
    return device.is_cpu() ? AutocastLists::Cpu : AutocastLists::Cuda;
}

MetaAutocastLists::MetaAutocastLists(AutocastLists lists)
    : m_outer(std::exchange(t_metaLists, lists))
{
}

MetaAutocastLists::~MetaAutocastLists()
{
    t_metaLists = m_outer;
}

} // namespace headroom::tensor
