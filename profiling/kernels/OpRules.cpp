// SPDX-License-Identifier: Apache-2.0
#include "profiling/kernels/OpRules.h"

#include "core/base/Wording.h"
#include "core/config/Field.h"
#include "profiling/kernels/OpArguments.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace headroom::collectors {
namespace {

// Memory that nobody writes, and ops that are not kernels. All views but one are recognised by their schema.
constexpr std::array<std::string_view, 10> kStorage{"_fused_sdp_choice", "_unsafe_view", "empty", "empty_like",
    "empty_strided", "new_empty", "new_empty_strided", "resize", "set", "detach"};

// Kernels of TensorIterator and similar ones: each element of the result is written once, with accumulation in
// registers.
constexpr std::array<std::string_view, 79> kTraffic{"_conj_physical", "_foreach_add", "_foreach_addcdiv",
    "_foreach_addcmul", "_foreach_copy", "_foreach_div", "_foreach_lerp", "_foreach_mul", "_foreach_norm",
    "_foreach_sqrt", "_foreach_sub", "_foreach_zero", "_fused_adamw", "_fused_sgd", "_log_softmax",
    "_log_softmax_backward_data", "_safe_softmax", "_softmax", "_softmax_backward_data", "_to_copy", "abs", "add",
    "addcdiv", "addcmul", "amax", "amin", "aminmax", "any", "all", "arange", "bernoulli", "bitwise_and", "bitwise_not",
    "cat", "clamp", "clamp_max", "clamp_min", "clone", "constant_pad_nd", "copy", "cos", "div", "eq", "exp", "fill",
    "full", "gather", "ge", "gelu", "gelu_backward", "gt", "index_select", "isfinite", "le", "lerp", "linspace", "log",
    "logical_and", "logical_not", "lt", "masked_fill", "maximum", "mean", "minimum", "mse_loss", "mse_loss_backward",
    "mul", "native_dropout", "native_dropout_backward", "ne", "neg", "nll_loss_forward", "nll_loss_backward", "normal",
    "ones", "ones_like", "pow", "random", "randint"};
constexpr std::array<std::string_view, 36> kMoreTraffic{"embedding_dense_backward", "select_backward", "slice_backward",
    "randn", "rand", "reciprocal", "repeat", "rsqrt", "rsub", "scalar_tensor", "sigmoid", "sigmoid_backward", "sign",
    "silu", "silu_backward", "sin", "sqrt", "stack", "sub", "sum", "tanh", "tanh_backward", "threshold_backward",
    "tril", "triu", "uniform", "where", "zero", "zeros", "zeros_like", "native_layer_norm",
    "native_layer_norm_backward", "_fused_rms_norm", "_fused_rms_norm_backward", "embedding", "linalg_vector_norm"};
// One number that the host reads, or flags of the loss scale.
constexpr std::array<std::string_view, 6> kNumbers{"_local_scalar_dense", "_amp_foreach_non_finite_check_and_unscale",
    "_amp_update_scale", "item", "equal", "is_nonzero"};

constexpr std::array<std::string_view, 8> kProducts{
    "mm", "bmm", "addmm", "baddbmm", "addmv", "mv", "convolution", "convolution_backward"};

template <std::size_t size> bool contains(const std::array<std::string_view, size>& names, std::string_view name)
{
    return std::ranges::find(names, name) != names.end();
}

} // namespace

std::optional<OpRule> opRule(const c10::FunctionSchema& schema)
{
    const std::string name = baseName(schema);
    if (isView(schema) || contains(kStorage, name))
        return OpRule::Storage;
    if (contains(kProducts, name))
        return OpRule::Product;
    if (name.starts_with("_scaled_dot_product_"))
        return OpRule::Attention;
    if (contains(kTraffic, name) || contains(kMoreTraffic, name) || contains(kNumbers, name))
        return OpRule::Traffic;
    return std::nullopt;
}

std::string remarkOn(const std::vector<std::string>& opsWithoutRule)
{
    if (opsWithoutRule.empty())
        return {};
    return "ops without a rule of their own, counted as one pass over their tensors without temporaries: "
        + joined(opsWithoutRule);
}

void OpSurvey::before(const tensor::OpCall& call)
{
    const c10::FunctionSchema& schema = call.op.schema();
    auto known = m_known.find(&schema);
    if (known == m_known.end())
        known = m_known.emplace(&schema, opRule(schema).has_value()).first;
    if (!known->second)
        m_withoutRule.insert(baseName(schema));
}

} // namespace headroom::collectors
