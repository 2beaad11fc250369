// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/simulated/WorkOfOps.h"

#include "profiling/kernels/OpArguments.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>

namespace headroom::collectors {
namespace {

using simulator::Work;

struct WorkNames {
    Work work;
    std::initializer_list<std::string_view> names;
};

const std::map<std::string_view, Work>& worksByName()
{
    static const std::map<std::string_view, Work> works = [] {
        std::map<std::string_view, Work> byName;
        const std::initializer_list<WorkNames> kinds{
            {Work::Product, {"mm", "addmm", "mv", "addmv"}},
            {Work::BatchedProduct, {"bmm", "baddbmm"}},
            {Work::Convolution, {"convolution"}},
            {Work::ConvolutionBackward, {"convolution_backward"}},
            {Work::Copy,
                {"copy", "clone", "_to_copy", "cat", "stack", "repeat", "constant_pad_nd", "select_backward",
                    "slice_backward", "_foreach_copy", "flip", "roll", "pixel_shuffle", "pixel_unshuffle", "im2col"}},
            {Work::Fill,
                {"fill", "zero", "zeros", "zeros_like", "ones", "ones_like", "full", "full_like", "_foreach_zero",
                    "new_zeros"}},
            {Work::Random, {"normal", "uniform", "randn", "rand", "randint", "random", "bernoulli", "native_dropout"}},
            {Work::Transcendental,
                {"cos", "exp", "log", "pow", "reciprocal", "rsqrt", "sigmoid", "sigmoid_backward", "silu",
                    "silu_backward", "sin", "sqrt", "tanh", "tanh_backward", "_foreach_sqrt"}},
            {Work::Gelu, {"gelu"}},
            {Work::GeluBackward, {"gelu_backward"}},
            {Work::Reduction,
                {"sum", "mean", "amax", "amin", "aminmax", "any", "all", "linalg_vector_norm", "mse_loss",
                    "_foreach_norm", "var", "std", "var_mean", "std_mean", "prod", "nansum", "argmax", "argmin", "dot",
                    "vdot", "trace", "count_nonzero", "logsumexp"}},
            {Work::Softmax, {"_softmax", "_safe_softmax", "_log_softmax"}},
            {Work::SoftmaxBackward, {"_softmax_backward_data", "_log_softmax_backward_data"}},
            {Work::Normalisation,
                {"native_layer_norm", "native_group_norm", "_fused_rms_norm", "native_batch_norm", "cudnn_batch_norm",
                    "_native_batch_norm_legit", "_batch_norm_with_update"}},
            {Work::NormalisationBackward,
                {"native_layer_norm_backward", "native_group_norm_backward", "_fused_rms_norm_backward",
                    "native_batch_norm_backward", "cudnn_batch_norm_backward", "batch_norm_backward"}},
            {Work::Lookup,
                {"embedding", "embedding_dense_backward", "index_select", "index", "gather", "nll_loss_forward",
                    "nll_loss_backward", "take", "_unsafe_index", "_embedding_bag", "_embedding_bag_forward_only",
                    "_embedding_bag_dense_backward"}},
            {Work::Optimizer, {"_fused_adamw", "_fused_sgd", "_fused_adam", "_fused_adagrad"}},
        };
        for (const WorkNames& kind : kinds)
            for (const std::string_view name : kind.names)
                byName.emplace(name, kind.work);
        return byName;
    }();
    return works;
}

} // namespace

Work workOfOp(const c10::FunctionSchema& schema)
{
    const std::string name = baseName(schema);
    if (name.starts_with("_scaled_dot_product_"))
        return name.ends_with("_backward") ? Work::AttentionBackward : Work::Attention;
    const auto found = worksByName().find(name);
    return found == worksByName().end() ? Work::Elementwise : found->second;
}

CopiedTensors copiedTensors(at::ArrayRef<c10::IValue> arguments)
{
    CopiedTensors copied;
    forEachTensor(arguments, [&](const at::Tensor& tensor) {
        copied.areContiguous = copied.areContiguous && tensor.is_contiguous();
        copied.haveFloat8 = copied.haveFloat8 || mathTypeOf(tensor.scalar_type()) == simulator::MathType::Float8;
        copied.types.push_back(tensor.scalar_type());
    });
    return copied;
}

Work workOfCopy(const CopiedTensors& copied, c10::ScalarType written)
{
    const bool isCast = std::ranges::any_of(copied.types, [&](c10::ScalarType type) { return type != written; });
    if (isCast)
        return copied.haveFloat8 || mathTypeOf(written) == simulator::MathType::Float8 ? Work::Float8Cast : Work::Cast;
    return copied.areContiguous ? Work::Copy : Work::Rearrangement;
}

std::int64_t partsOf(at::ArrayRef<c10::IValue> arguments)
{
    std::int64_t parts = 1;
    for (const c10::IValue& argument : arguments)
        if (argument.isTensorList())
            parts = std::max(parts, static_cast<std::int64_t>(argument.toTensorList().size()));
    return parts;
}

} // namespace headroom::collectors
