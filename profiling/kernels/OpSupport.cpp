// SPDX-License-Identifier: Apache-2.0
#include "profiling/kernels/OpSupport.h"

#include "profiling/kernels/KernelFamilies.h"
#include "profiling/kernels/KernelRules.h"
#include "profiling/kernels/OpArguments.h"
#include "profiling/kernels/OpRules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::collectors {
namespace {

struct Parts {
    std::vector<std::string> forward;
    std::vector<std::string> backward;
};

const std::map<std::string_view, Parts>& partsByName()
{
    static const std::string number = "aten::_local_scalar_dense", places = "aten::nonzero",
                             picked = "aten::masked_select", compared = "aten::equal";
    static const std::map<std::string_view, Parts> parts{
        {"aten::item", {{number}, {}}},
        {"aten::is_nonzero", {{number}, {}}},
        {"aten::allclose", {{number}, {}}},
        {"aten::_choose_qparams_per_tensor", {{number}, {}}},
        {"aten::linspace.Tensor_Scalar", {{number}, {}}},
        {"aten::linspace.Scalar_Tensor", {{number}, {}}},
        {"aten::linspace.Tensor_Tensor", {{number}, {}}},
        {"aten::logspace.Tensor_Scalar", {{number}, {}}},
        {"aten::logspace.Scalar_Tensor", {{number}, {}}},
        {"aten::logspace.Tensor_Tensor", {{number}, {}}},
        {"aten::argwhere", {{places}, {}}},
        {"aten::nonzero_numpy", {{places}, {}}},
        {"aten::where", {{places}, {}}}, // of a condition alone
        {"aten::combinations", {{picked}, {}}},
        {"aten::cov", {{compared}, {}}},
        {"aten::corrcoef", {{compared}, {}}},
        {"aten::to_sparse", {{"aten::_to_sparse"}, {}}},
        {"aten::to_sparse.sparse_dim", {{"aten::_to_sparse.sparse_dim"}, {}}},
        {"aten::to_sparse_csr", {{"aten::_to_sparse_csr"}, {}}},
        {"aten::to_sparse_csc", {{"aten::_to_sparse_csc"}, {}}},
        {"aten::to_sparse_bsr", {{"aten::_to_sparse_bsr"}, {}}},
        {"aten::to_sparse_bsc", {{"aten::_to_sparse_bsc"}, {}}},
        {"aten::ctc_loss.Tensor", {{"aten::_ctc_loss.Tensor"}, {}}},
        {"aten::matrix_exp", {{"aten::linalg_matrix_exp"}, {}}},
        {"aten::matrix_exp_backward", {{"aten::linalg_matrix_exp"}, {}}},
        {"aten::linalg_lstsq", {{"aten::linalg_lstsq.out"}, {}}},
        {"aten::linalg_eigvals", {{"aten::_linalg_eigvals"}, {"aten::linalg_eig"}}},
        {"aten::cholesky_solve", {{"aten::_cholesky_solve_helper"}, {}}},
        {"aten::histogramdd", {{"aten::_histogramdd_bin_edges"}, {}}},
        {"aten::histogramdd.int_bins", {{"aten::_histogramdd_bin_edges"}, {}}},
        {"aten::histogramdd.TensorList_bins", {{"aten::_histogramdd_from_bin_tensors"}, {}}},
        {"aten::fake_quantize_per_tensor_affine", {{"aten::fake_quantize_per_tensor_affine_cachemask"}, {}}},
        {"aten::fake_quantize_per_tensor_affine.tensor_qparams",
            {{"aten::_fake_quantize_per_tensor_affine_cachemask_tensor_qparams"}, {}}},
        {"aten::fake_quantize_per_channel_affine", {{"aten::fake_quantize_per_channel_affine_cachemask"}, {}}},
        {"aten::slow_conv3d", {{"aten::slow_conv3d_forward"}, {}}},
        {"aten::fractional_max_pool3d", {{}, {"aten::fractional_max_pool3d_backward"}}},
        {"aten::_standard_gamma", {{}, {"aten::_standard_gamma_grad"}}},
        {"aten::_sample_dirichlet", {{}, {"aten::_dirichlet_grad"}}},
    };
    return parts;
}

// Composite kernels that were tried on meta and refused there.
constexpr std::array<std::string_view, 16> kFailing{"aten::ldexp", "aten::_saturate_weight_to_fp16",
    "aten::_sobol_engine_draw", "aten::_sobol_engine_ff_", "aten::_to_cpu", "aten::choose_qparams_optimized",
    "aten::mkldnn_convolution", "aten::fbgemm_linear_quantize_weight", "aten::fbgemm_pack_gemm_matrix_fp16",
    "aten::_nested_tensor_from_tensor_list", "aten::sparse_coo_tensor", "aten::sparse_csr_tensor",
    "aten::sparse_csc_tensor", "aten::sparse_bsr_tensor", "aten::sparse_bsc_tensor", "aten::align_tensors"};

/// Ops that run when this one does and that its name does not tell: those that LibTorch takes it apart into, and with a
/// backward pass those of its gradient. Only ops that a simulated device does not fully support are listed. `op`:
/// "aten::linspace.Tensor_Scalar".
std::vector<std::string> opsBehind(const std::string& op, Passes passes)
{
    const auto found = partsByName().find(op);
    if (found == partsByName().end())
        return {};
    std::vector<std::string> parts = found->second.forward;
    if (passes == Passes::ForwardAndBackward)
        parts.insert(parts.end(), found->second.backward.begin(), found->second.backward.end());
    return parts;
}

/// Whether LibTorch's composite kernel for the op does not run on meta, as it reads values or ends in a kernel that is
/// not there.
bool failsOnMeta(const std::string& op)
{
    return std::ranges::find(kFailing, op) != kFailing.end();
}

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

/// Whether sizes or results of the op ("aten::nonzero") are known only from the values of its tensors: a simulated
/// device has none.
bool dependsOnValues(const std::string& op)
{
    constexpr std::string_view kNamespace = "aten::";
    return op.starts_with(kNamespace)
        && std::ranges::find(kByValues, std::string_view(op).substr(kNamespace.size())) != kByValues.end();
}

} // namespace

void registerRefusals(torch::Library& kernels)
{
    for (const std::string_view name : kByValues)
        kernels.impl(std::string(name).c_str(), torch::CppFunction::makeFromBoxedFunction<&refuse>());
}

namespace {

using Operator = c10::OperatorHandle;

bool isOperator(const std::string& name, const std::string& overload)
{
    return c10::Dispatcher::singleton().findSchema({name, overload}).has_value();
}

// "aten" of "torch.ops.aten.add.Tensor", "aten.add.Tensor" and "aten::add.Tensor", and the rest; "aten" where a name
// has no namespace, as "add.Tensor".
std::pair<std::string, std::string> namespaceAndRest(const std::string& text)
{
    constexpr std::string_view kPrefix = "torch.ops.";
    if (const std::size_t colons = text.find("::"); colons != std::string::npos)
        return {text.substr(0, colons), text.substr(colons + 2)};
    const std::string bare = text.starts_with(kPrefix) ? text.substr(kPrefix.size()) : text;
    const std::size_t dot = bare.find('.');
    const bool isOfAten = bare.size() == text.size() && !bare.starts_with("aten.")
        && (dot == std::string::npos || isOperator("aten::" + bare.substr(0, dot), bare.substr(dot + 1)));
    return isOfAten ? std::pair(std::string("aten"), bare) : std::pair(bare.substr(0, dot), bare.substr(dot + 1));
}

c10::OperatorName operatorNameOf(const std::string& text)
{
    const auto [space, rest] = namespaceAndRest(text);
    const std::size_t dot = rest.find('.');
    const std::string overload = dot == std::string::npos ? "" : rest.substr(dot + 1);
    return {space + "::" + rest.substr(0, dot), overload == "default" ? "" : overload};
}

// Where a name is given without its overload, the first overload stands for all of them.
std::optional<Operator> operatorOf(const std::string& text)
{
    const c10::OperatorName name = operatorNameOf(text);
    std::optional<Operator> found = c10::Dispatcher::singleton().findSchema(name);
    if (found || !name.overload_name.empty())
        return found;
    std::set<std::string> overloads;
    for (const c10::OperatorName& other : c10::Dispatcher::singleton().getAllOpNames())
        if (other.name == name.name)
            overloads.insert(other.overload_name);
    return overloads.empty() ? std::nullopt : c10::Dispatcher::singleton().findSchema({name.name, *overloads.begin()});
}

std::string nameOf(const Operator& op)
{
    const c10::OperatorName& name = op.operator_name();
    return name.overload_name.empty() ? name.name : name.name + "." + name.overload_name;
}

bool isComposite(const Operator& op)
{
    return op.hasKernelForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd);
}

bool runsOnMeta(const Operator& op)
{
    using c10::DispatchKey;
    if (failsOnMeta(op.operator_name().name))
        return false;
    return op.hasKernelForDispatchKey(DispatchKey::Meta) || isComposite(op)
        || op.hasKernelForDispatchKey(DispatchKey::CompositeExplicitAutograd)
        || op.hasKernelForDispatchKey(DispatchKey::CompositeExplicitAutogradNonFunctional);
}

std::optional<OpLack> lackOf(const Operator& op)
{
    if (dependsOnValues(nameOf(op)))
        return OpLack::Values;
    if (!runsOnMeta(op))
        return OpLack::MetaKernel;
    // Composite ops never run themselves.
    return isComposite(op) || opRule(op.schema()) ? std::nullopt : std::optional(OpLack::CostRule);
}

void addGaps(std::vector<OpGap>& gaps, const std::string& asked, Passes passes)
{
    const std::optional<Operator> op = operatorOf(asked);
    if (!op) {
        gaps.push_back({asked, asked, OpLack::Operator});
        return;
    }
    if (const auto lack = lackOf(*op))
        gaps.push_back({asked, asked, *lack});
    for (const std::string& part : opsBehind(nameOf(*op), passes))
        if (const std::optional<Operator> other = operatorOf(part))
            if (const auto lack = lackOf(*other))
                gaps.push_back({asked, nameOf(*other), *lack});
}

std::string lackInWords(OpLack lack)
{
    switch (lack) {
    case OpLack::Operator:
        return "this LibTorch has no operator of that name";
    case OpLack::MetaKernel:
        return "a simulated device has no kernel for it, so it can be measured but not simulated";
    case OpLack::Values:
        return "its result depends on values, so it can be measured but not simulated";
    case OpLack::CostRule:
        break;
    }
    return "no rule of its own: counted as one pass over its tensors, without temporaries";
}

} // namespace

std::vector<OpGap> opGaps(const std::vector<std::string>& ops, Passes passes)
{
    registerMetaKernels();
    std::vector<OpGap> gaps;
    for (const std::string& op : ops)
        addGaps(gaps, op, passes);
    return gaps;
}

bool preventsSimulation(OpLack lack)
{
    return lack != OpLack::CostRule;
}

std::string describe(const OpGap& gap)
{
    return gap.lacking == gap.op ? fmt::format("{}: {}", gap.op, lackInWords(gap.lack))
                                 : fmt::format("{} (for {}): {}", gap.lacking, gap.op, lackInWords(gap.lack));
}

} // namespace headroom::collectors
