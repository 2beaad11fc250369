// SPDX-License-Identifier: Apache-2.0
#include "profiling/kernels/OpRules.h"

#include "core/base/Wording.h"
#include "core/config/Field.h"
#include "profiling/kernels/IndexSorting.h"
#include "profiling/kernels/OpArguments.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace headroom::collectors {
namespace {

// Memory that nobody writes, and ops that are not kernels. All views but one are recognised by their schema.
constexpr std::array<std::string_view, 11> kStorage{"_fused_sdp_choice", "_unsafe_view", "empty", "empty_like",
    "empty_strided", "empty_permuted", "new_empty", "new_empty_strided", "resize", "set", "detach"};

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

constexpr std::array<std::string_view, 14> kProducts{"mm", "bmm", "addmm", "baddbmm", "addbmm", "addmv", "mv",
    "convolution", "convolution_backward", "_int_mm", "_scaled_mm", "_grouped_mm", "_weight_int8pack_mm",
    "_cdist_forward"};

// Of models that others wrote. Losses and random draws take one tensor more, or copies, which their meta kernels take;
// cuDNN's and cuFFT's workspaces are not counted (docs/simulated-ops.md).
constexpr std::array<std::string_view, 57> kPicking{"index", "_unsafe_index", "_index_put_impl", "index_put",
    "_unsafe_index_put", "index_add", "index_copy", "index_fill", "scatter", "scatter_add", "scatter_reduce", "take",
    "put", "flip", "roll", "topk", "sort", "cumsum", "cumprod", "cummax", "cummin", "_cummax_helper", "_cummin_helper",
    "logcumsumexp", "_logcumsumexp", "argmax", "argmin", "max", "min", "median", "nanmedian", "kthvalue", "var", "std",
    "var_mean", "std_mean", "prod", "nansum", "trace", "histc", "count_nonzero", "dot", "vdot", "searchsorted",
    "bucketize", "tril_indices", "triu_indices", "nonzero_static", "repeat_interleave", "unfold_backward",
    "masked_scatter", "masked_scatter_backward", "randperm", "_embedding_bag", "_embedding_bag_forward_only",
    "_embedding_bag_backward", "_embedding_bag_dense_backward"};
constexpr std::array<std::string_view, 30> kNorms{"native_group_norm", "native_group_norm_backward",
    "native_batch_norm", "native_batch_norm_backward", "cudnn_batch_norm", "cudnn_batch_norm_backward",
    "_native_batch_norm_legit", "_native_batch_norm_legit_no_training", "_batch_norm_with_update",
    "_batch_norm_no_update", "batch_norm_backward", "batch_norm_update_stats", "_weight_norm_interface",
    "_weight_norm_interface_backward", "glu", "glu_backward", "_prelu_kernel", "_prelu_kernel_backward",
    "log_sigmoid_forward", "log_sigmoid_backward", "rrelu_with_noise", "_masked_softmax", "_masked_softmax_backward",
    "nll_loss2d_forward", "nll_loss2d_backward", "binary_cross_entropy", "binary_cross_entropy_backward", "huber_loss",
    "_fused_adam", "_fused_adagrad"};
constexpr std::array<std::string_view, 30> kImages{"max_pool2d_with_indices", "max_pool2d_with_indices_backward",
    "max_pool3d_with_indices", "max_pool3d_with_indices_backward", "avg_pool2d", "avg_pool2d_backward", "avg_pool3d",
    "avg_pool3d_backward", "_adaptive_avg_pool2d", "_adaptive_avg_pool2d_backward", "_adaptive_avg_pool3d",
    "_adaptive_avg_pool3d_backward", "adaptive_max_pool2d", "adaptive_max_pool2d_backward", "max_unpool2d",
    "max_unpool3d", "im2col", "col2im", "grid_sampler_2d", "grid_sampler_2d_backward", "grid_sampler_3d",
    "grid_sampler_3d_backward", "pixel_shuffle", "pixel_unshuffle", "channel_shuffle", "native_channel_shuffle",
    "_fft_c2c", "_fft_c2r", "_fft_r2c", "_fft_c2r_backward"};
constexpr std::array<std::string_view, 24> kMaking{"new_zeros", "new_ones", "new_full", "full_like", "rand_like",
    "randn_like", "randint_like", "eye", "exponential", "geometric", "log_normal", "cauchy", "poisson", "multinomial",
    "diag_embed", "diagonal_backward", "as_strided_scatter", "slice_scatter", "select_scatter", "diagonal_scatter",
    "complex", "polar", "block_diag", "renorm"};
constexpr std::array<std::string_view, 6> kAssertions{"_assert_async", "_functional_assert_async",
    "_assert_tensor_metadata", "_assert_scalar", "_is_all_true", "_is_any_true"};

// Element by element, though LibTorch does not tag them so; the parts of composite kernels are allocated on meta as on
// real devices.
constexpr std::array<std::string_view, 51> kUntagged{"floor_divide", "hardsigmoid_backward", "hardswish_backward",
    "hardswish", "hardsigmoid", "hardtanh", "hardtanh_backward", "hardshrink_backward", "softshrink_backward",
    "softplus_backward", "leaky_relu", "leaky_relu_backward", "elu", "elu_backward", "mish", "celu", "threshold",
    "_add_relu", "lift", "smooth_l1_loss", "smooth_l1_loss_backward", "huber_loss_backward", "soft_margin_loss",
    "soft_margin_loss_backward", "binary_cross_entropy_with_logits", "logsumexp", "norm", "dist", "addr", "range",
    "logspace", "unsafe_split", "unsafe_split_with_sizes", "rot90", "linalg_cross", "normal_functional",
    "adaptive_max_pool3d", "adaptive_max_pool3d_backward", "affine_grid_generator", "_pdist_forward", "_cdist_backward",
    "_embedding_bag_per_sample_weights_backward", "_chunk_cat", "index_reduce", "_pdist_backward", "multi_margin_loss",
    "multi_margin_loss_backward", "multilabel_margin_loss_forward", "multilabel_margin_loss_backward", "_ctc_loss",
    "_ctc_loss_backward"};
constexpr std::array<std::string_view, 12> kNoKernels{"squeeze", "unsqueeze", "transpose", "t", "as_strided",
    "resize_as", "_resize_output", "sym_constrain_range", "sym_constrain_range_for_size",
    "_functional_sym_constrain_range", "_functional_sym_constrain_range_for_size", "_functional_assert_scalar"};

// Families with one name for each number of dimensions, and ops on lists.
constexpr std::array<std::string_view, 6> kFamilies{
    "upsample_", "_upsample_", "reflection_pad", "replication_pad", "_foreach_", "_batch_norm_"};

// LibTorch tags what TensorIterator computes element by element.
bool isPointwise(const c10::FunctionSchema& schema)
{
    const auto isTagged = [](const c10::OperatorName& name) {
        const auto op = c10::Dispatcher::singleton().findOp(name);
        return op && op->hasTag(at::Tag::pointwise);
    };
    // Forms in place may lack the tag.
    return isTagged(schema.operator_name()) || isTagged({"aten::" + baseName(schema), schema.overload_name()});
}

bool isOfFamily(std::string_view name)
{
    return name.ends_with("_copy")
        || std::ranges::any_of(kFamilies, [&](std::string_view prefix) { return name.starts_with(prefix); });
}

template <std::size_t size> bool contains(const std::array<std::string_view, size>& names, std::string_view name)
{
    return std::ranges::find(names, name) != names.end();
}

} // namespace

std::optional<OpRule> opRule(const c10::FunctionSchema& schema)
{
    const std::string name = baseName(schema);
    if (isView(schema) || contains(kStorage, name) || contains(kNoKernels, name))
        return OpRule::Storage;
    if (contains(kProducts, name))
        return OpRule::Product;
    if (name.starts_with("_scaled_dot_product_"))
        return OpRule::Attention;
    const bool isKnown = contains(kTraffic, name) || contains(kMoreTraffic, name) || contains(kNumbers, name)
        || contains(kPicking, name) || contains(kNorms, name) || contains(kImages, name) || contains(kMaking, name)
        || contains(kAssertions, name) || contains(kUntagged, name);
    return isKnown || isOfFamily(name) || isPointwise(schema) ? std::optional(OpRule::Traffic) : std::nullopt;
}

namespace {

// aten/src/ATen/native/cuda/TensorTopK.cu, should_use_multiblock: the fewer rows, the longer they may be for one block.
bool usesManyBlocks(std::int64_t rows, std::int64_t width)
{
    struct Limit {
        std::int64_t rows;
        std::int64_t width;
    };
    constexpr std::array<Limit, 6> limits{
        {{20, 20000}, {40, 10000}, {80, 8000}, {199, 5000}, {799, 3000}, {4000, 800}}};
    constexpr std::int64_t kWidthOfMore = 400;
    const auto limit = std::ranges::find_if(limits, [&](const Limit& each) { return rows <= each.rows; });
    return width >= (limit == limits.end() ? kWidthOfMore : limit->width);
}

// Sorting and selecting along a dimension.
bool isSorting(const c10::FunctionSchema& schema)
{
    const std::string name = baseName(schema);
    return name == "sort" || name == "topk";
}

// Tile sizes of CUB are known for keys of 4 and 8 bytes.
constexpr std::int64_t kNarrowestKey = 4;

std::int64_t numberArgument(const tensor::OpCall& call, const char* name)
{
    const auto place = call.op.schema().argumentIndexWithName(name);
    return place ? argumentsOf(call)[static_cast<std::size_t>(*place)].toInt() : 0;
}

} // namespace

bool exceedsRule(const tensor::OpCall& call)
{
    if (!isSorting(call.op.schema()))
        return false;
    const at::Tensor& input = argumentsOf(call)[0].toTensor();
    const std::int64_t width = input.dim() == 0 ? 1 : input.size(numberArgument(call, "dim"));
    if (baseName(call.op.schema()) == "sort")
        return width > kMostSortedInPlace && input.element_size() < kNarrowestKey;
    return numberArgument(call, "k") > kMostSortedInPlace
        || (width > 0 && usesManyBlocks(input.numel() / width, width));
}

std::string remarkOn(const std::vector<std::string>& opsWithoutRule)
{
    if (opsWithoutRule.empty())
        return {};
    return "ops without a rule of their own, counted as one pass over their tensors without temporaries: "
        + joined(opsWithoutRule);
}

OpSurvey::Rule OpSurvey::ruleOf(const c10::FunctionSchema& schema)
{
    if (!opRule(schema))
        return Rule::Lacking;
    return isSorting(schema) ? Rule::OfCall : Rule::Known;
}

void OpSurvey::before(const tensor::OpCall& call)
{
    const c10::FunctionSchema& schema = call.op.schema();
    auto rule = m_rules.find(&schema);
    if (rule == m_rules.end())
        rule = m_rules.emplace(&schema, ruleOf(schema)).first;
    if (rule->second == Rule::Lacking || (rule->second == Rule::OfCall && exceedsRule(call)))
        m_withoutRule.insert(baseName(schema));
}

} // namespace headroom::collectors
