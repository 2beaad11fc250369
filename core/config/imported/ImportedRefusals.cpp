// SPDX-License-Identifier: Apache-2.0
#include "core/config/imported/ImportedRefusals.h"

#include "core/base/Error.h"
#include "core/config/imported/KnownOperators.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <string_view>

namespace headroom::config {
namespace {

using OpNames = std::set<std::string_view>;

// Those that depend on values are not among them.
const OpNames& opsWithoutKernel()
{
    // clang-format off
    static const OpNames names{
        "_batch_norm_with_update.out", "_cholesky_solve_helper", "_compute_linear_combination.out",
        "_convert_weight_to_int4pack_for_cpu", "_dirichlet_grad", "_dyn_quant_matmul_4bit",
        "_dyn_quant_pack_4bit_weight", "_empty_affine_quantized", "_empty_per_channel_affine_quantized",
        "_fake_quantize_learnable_per_channel_affine", "_fake_quantize_learnable_per_channel_affine_backward",
        "_fake_quantize_learnable_per_tensor_affine", "_fake_quantize_learnable_per_tensor_affine_backward",
        "_fake_quantize_per_tensor_affine_cachemask_tensor_qparams", "_fft_c2c.out", "_fft_c2r.out", "_fft_r2c.out",
        "_foobar", "_fused_moving_avg_obs_fq_helper", "_histogramdd_bin_edges", "_histogramdd_from_bin_cts",
        "_histogramdd_from_bin_tensors", "_jagged_to_padded_dense_forward", "_linalg_eigvals", "_make_dep_token",
        "_make_per_channel_quantized_tensor", "_make_per_tensor_quantized_tensor",
        "_native_batch_norm_legit.no_stats_out", "_native_batch_norm_legit.out", "_native_multi_head_attention",
        "_nested_compute_contiguous_strides_offsets", "_nested_from_padded", "_nested_tensor_from_tensor_list",
        "_nested_tensor_from_tensor_list.out", "_nested_view_from_buffer", "_padded_dense_to_jagged_forward",
        "_saturate_weight_to_fp16", "_segment_reduce_backward", "_slow_conv2d_backward.grad_input",
        "_slow_conv2d_backward.output_mask", "_slow_conv2d_forward", "_slow_conv2d_forward.output", "_sobol_engine_draw",
        "_sobol_engine_ff_", "_spdiags", "_standard_gamma_grad", "_test_functorch_fallback",
        "_test_optional_filled_intlist", "_test_optional_floatlist", "_test_optional_intlist", "_to_cpu",
        "_transform_bias_rescale_qkv", "_transformer_encoder_layer_fwd", "_validate_compressed_sparse_indices",
        "_weight_int4pack_mm_for_cpu", "addbmm.out", "align_tensors", "binary_cross_entropy.out",
        "binary_cross_entropy_backward.grad_input", "binomial", "bucketize.Tensor_out", "cholesky", "cholesky.out",
        "cholesky_inverse", "cholesky_inverse.out", "cholesky_solve", "choose_qparams_optimized", "dequantize.self",
        "fake_quantize_per_channel_affine", "fake_quantize_per_channel_affine_cachemask",
        "fake_quantize_per_tensor_affine", "fake_quantize_per_tensor_affine.tensor_qparams",
        "fake_quantize_per_tensor_affine_cachemask", "fbgemm_linear_quantize_weight", "fbgemm_pack_gemm_matrix_fp16",
        "fractional_max_pool3d_backward", "fractional_max_pool3d_backward.grad_input", "from_file", "geqrf", "geqrf.a",
        "glu_backward.grad_input", "glu_backward_jvp", "glu_jvp", "histc.out", "histogram.bin_ct_out",
        "histogram.bins_tensor", "histogram.bins_tensor_out", "histogramdd", "histogramdd.TensorList_bins",
        "histogramdd.int_bins", "huber_loss.out", "ldexp.Tensor", "ldexp.out", "linalg_eig", "linalg_eig.out",
        "linalg_eigvals", "linalg_eigvals.out", "linalg_householder_product", "linalg_householder_product.out",
        "linalg_lstsq", "linalg_lstsq.out", "linalg_matrix_exp", "linalg_solve_triangular.out",
        "log_sigmoid_backward.grad_input", "log_sigmoid_forward.output", "matrix_exp", "matrix_exp_backward",
        "max_pool3d_with_indices.out", "max_pool3d_with_indices_backward.grad_input", "max_unpool2d.out",
        "max_unpool3d.out", "mkldnn_convolution", "mkldnn_convolution.out", "mkldnn_rnn_layer",
        "mkldnn_rnn_layer_backward", "multi_margin_loss.out", "multi_margin_loss_backward.grad_input",
        "multilabel_margin_loss_backward.grad_input", "multilabel_margin_loss_forward.output", "multinomial.out",
        "narrow_copy.out", "native_batch_norm.out", "nll_loss2d_backward.grad_input", "nll_loss2d_forward.output",
        "nonzero_static.out", "ormqr", "ormqr.out", "quantize_per_channel", "quantize_per_tensor",
        "quantize_per_tensor.tensor_qparams", "quantize_per_tensor.tensors", "quantize_per_tensor_dynamic",
        "quantized_gru.data", "quantized_gru.data_legacy", "quantized_gru.input", "quantized_gru.input_legacy",
        "quantized_lstm.data", "quantized_lstm.data_legacy", "quantized_lstm.input", "quantized_lstm.input_legacy",
        "rrelu_with_noise.out", "searchsorted.Scalar_out", "searchsorted.Tensor_out", "slow_conv3d",
        "slow_conv3d_forward", "slow_conv3d_forward.output", "slow_conv_dilated2d", "slow_conv_dilated3d",
        "slow_conv_transpose3d", "slow_conv_transpose3d.out", "sparse_bsc_tensor.ccol_row_value",
        "sparse_bsc_tensor.ccol_row_value_size", "sparse_bsr_tensor.crow_col_value",
        "sparse_bsr_tensor.crow_col_value_size", "sparse_coo_tensor.indices", "sparse_coo_tensor.indices_size",
        "sparse_coo_tensor.size", "sparse_coo_tensor.size_out", "sparse_csc_tensor.ccol_row_value",
        "sparse_csc_tensor.ccol_row_value_size", "sparse_csr_tensor.crow_col_value",
        "sparse_csr_tensor.crow_col_value_size", "sspaddmm.out", "to_mkldnn"};
    // clang-format on
    return names;
}

// Their backward passes run one of the above.
const OpNames& opsWithoutBackwardKernel()
{
    static const OpNames names{"_sample_dirichlet", "_standard_gamma", "fractional_max_pool3d"};
    return names;
}

// "add.Tensor", "relu" of the forms in which ops are named.
std::string_view shortName(std::string_view op)
{
    for (const std::string_view prefix : {std::string_view("torch.ops.aten."), std::string_view("aten::")})
        if (op.starts_with(prefix))
            op.remove_prefix(prefix.size());
    constexpr std::string_view kDefault = ".default";
    if (op.ends_with(kDefault))
        op.remove_suffix(kDefault.size());
    return op;
}

using archive::Argument;
using archive::ExportedModel;
using archive::Graph;
using archive::Node;

constexpr const char* kAten = "torch.ops.aten.";
constexpr const char* kHigherOrder = "torch.ops.higher_order.";
constexpr std::array kKnownHigherOrder{
    "torch.ops.higher_order.wrap_with_autocast", "torch.ops.higher_order.wrap_with_set_grad_enabled"};

void forEachNode(const Graph& graph, const std::function<void(const Graph&, const Node&)>& action)
{
    for (const Node& node : graph.nodes)
        action(graph, node);
    for (const Graph& subgraph : graph.subgraphs)
        forEachNode(subgraph, action);
}

/// Where ops stand in the model, by the op.
class Places {
public:
    /// `lineBefore`: of the node before, for one that has none.
    void add(const Node& node, const std::string& lineBefore = {})
    {
        const bool isTold = !node.source.empty() || lineBefore.empty();
        const std::string place = isTold ? placeOf(node) : placeOf(node) + " (after " + lineBefore + ")";
        constexpr std::size_t kShown = 120; // a target is text of the archive's author
        const auto [found, isNew] = m_places.try_emplace(node.target.substr(0, kShown), place, 0);
        ++found->second.second;
    }

    /// "torch.ops.x.default in MLP layers.0.mlp (model.py:12) and 3 more places", each in a sentence.
    std::vector<std::string> sentences(const std::string& before, const std::string& after) const
    {
        std::vector<std::string> result;
        for (const auto& [target, place] : m_places) {
            const auto others = place.second - 1;
            const std::string more = others == 0 ? ""
                : others == 1                    ? " and one more place"
                                                 : " and " + std::to_string(others) + " more places";
            result.push_back(before + target + " in " + place.first + more + after);
        }
        return result;
    }

private:
    std::map<std::string, std::pair<std::string, std::size_t>> m_places; ///< the first one, and how many
};

void append(std::vector<std::string>& sentences, const std::vector<std::string>& more)
{
    sentences.insert(sentences.end(), more.begin(), more.end());
}

bool isOff(const Node& node, const char* flag)
{
    const Argument* argument = argumentOf(node, flag);
    return argument != nullptr && argument->kind == archive::ArgumentKind::Bool && argument->integer == 0;
}

// Dropout and batch norm have the mode in which the model was exported among their arguments.
const Node* firstInEvaluationMode(const Graph& graph)
{
    for (const Node& node : graph.nodes) {
        const std::string op = atenName(node);
        const bool isDropout = op == "dropout" || op == "dropout_" || op == "feature_dropout" || op == "alpha_dropout";
        if ((isDropout && isOff(node, "train")) || (op == "batch_norm" && isOff(node, "training")))
            return &node;
    }
    for (const Graph& subgraph : graph.subgraphs)
        if (const Node* found = firstInEvaluationMode(subgraph))
            return found;
    return nullptr;
}

std::string evaluationMode(const ExportedModel& model)
{
    const Node* node = firstInEvaluationMode(model.graph);
    if (model.notes.isTraining == true || (!model.notes.isTraining && node == nullptr))
        return {};
    const std::string example = node == nullptr ? "" : ", such as " + node->target + " in " + placeOf(*node);
    return "the model was exported in evaluation mode (model.eval()): its dropout and norms compute what inference "
           "computes"
        + example + "; export it after model.train()";
}

constexpr std::array kOpsOfValues{"nonzero", "nonzero_numpy", "masked_select", "item", "_local_scalar_dense", "unique",
    "unique_dim", "unique_consecutive", "_unique2", "bincount", "equal", "allclose"};

bool isOfSymbol(const archive::Size& size, const std::set<std::string>& known)
{
    if (!size.expression)
        return false;
    std::set<std::string> symbols;
    size.expression->collectSymbols(symbols);
    return std::ranges::any_of(
        symbols, [&](const std::string& symbol) { return symbol.starts_with('u') && !known.contains(symbol); });
}

/// Collects the nodes that make sizes of values: torch.export calls such sizes u0, u1 and so on.
class SizesOfValues {
public:
    void add(const Graph& graph, const Node& node)
    {
        if (makesNewSize(graph, node) || isOpOfValues(node) || hasMask(graph, node))
            m_places.add(node);
    }

    const Places& places() const { return m_places; }

private:
    static bool isOpOfValues(const Node& node)
    {
        return std::ranges::count(kOpsOfValues, atenName(node)) > 0
            || node.target == "torch.ops.aten.repeat_interleave.Tensor"
            || node.target == "torch.ops.aten.where.default";
    }

    // Only the first node that has a size makes it; others pass it on.
    bool makesNewSize(const Graph& graph, const Node& node)
    {
        bool makes = false;
        for (const Argument& output : node.outputs)
            for (const std::string& value : valuesOf(output))
                if (const auto tensor = graph.tensors.find(value); tensor != graph.tensors.end())
                    for (const archive::Size& size : tensor->second.sizes)
                        if (isOfSymbol(size, m_known)) {
                            size.expression->collectSymbols(m_known);
                            makes = true;
                        }
        return makes;
    }

    // x[mask] and x[mask] = y: as many elements as the mask has true ones.
    static bool hasMask(const Graph& graph, const Node& node)
    {
        const std::string op = atenName(node);
        const Argument* indices = op == "index" || op.starts_with("index_put") ? argumentOf(node, "indices") : nullptr;
        return indices != nullptr && std::ranges::any_of(valuesOf(*indices), [&](const std::string& value) {
            const auto tensor = graph.tensors.find(value);
            return tensor != graph.tensors.end() && archive::scalarTypeName(tensor->second.scalarType) == "bool";
        });
    }

    std::set<std::string> m_known;
    Places m_places;
};

// The name tells the node in an archive that has no lines.
Node named(Node node)
{
    node.source += (node.source.empty() ? "node " : ", node ") + ("\"" + node.name.substr(0, 80) + "\"");
    return node;
}

} // namespace

bool lacksKernel(const std::string& op, StepKind step)
{
    const std::string_view name = shortName(op);
    return opsWithoutKernel().contains(name)
        || (step != StepKind::Inference && opsWithoutBackwardKernel().contains(name));
}

std::vector<std::string> unknownOperators(const ExportedModel& model)
{
    Places unknown;
    forEachNode(model.graph, [&](const Graph&, const Node& node) {
        if (node.target.starts_with(kAten) && !isKnownOperator(node.target))
            unknown.add(named(node));
    });
    return unknown.sentences("the operator ",
        " is none that an archive may run: those are operators known to compute on their tensors and to touch nothing "
        "else");
}

void requireKnownOperators(const ExportedModel& model)
{
    if (const auto unknown = unknownOperators(model); !unknown.empty())
        throw UsageError(unknown.front(), model.file.string(), kWithout);
}

std::vector<std::string> refusalsToRun(const ExportedModel& model)
{
    Places chosen;
    Places foreign;
    std::string line; // of the node before: the export gives torch.cond one of its own code
    forEachNode(model.graph, [&](const Graph&, const Node& node) {
        const bool isHigherOrder = node.target.starts_with(kHigherOrder);
        if (isHigherOrder && std::ranges::count(kKnownHigherOrder, node.target) == 0)
            chosen.add(node, line);
        else if (node.target.starts_with("torch.ops.") && !node.target.starts_with(kAten) && !isHigherOrder)
            foreign.add(node, line);
        if (!node.source.empty())
            line = node.source;
    });
    std::vector<std::string> refusals = unknownOperators(model);
    append(refusals,
        chosen.sentences("",
            " chooses or repeats a part of the graph while it runs, which is not supported; a forward can branch on "
            "sizes "
            "and "
            "settings, or compute both sides and choose with torch.where"));
    append(refusals,
        foreign.sentences("the operator ",
            " is not LibTorch's: its implementation is in a package of the environment that exported the model; a "
            "forward "
            "of PyTorch's own operators works, such as attn_implementation=\"sdpa\" of transformers"));
    if (!model.notes.autocast.empty())
        refusals.push_back("the model was exported within an autocast region (" + model.notes.autocast
            + "), which the export leaves out: enter it in the model's forward, or export without it and run with "
              "workload.autocast="
            + model.notes.autocast);
    if (model.outputs.empty())
        refusals.emplace_back("the model has no output that is a tensor");
    return refusals;
}

std::vector<std::string> refusalsToTrain(const ExportedModel& model)
{
    std::vector<std::string> refusals;
    if (const std::string mode = evaluationMode(model); !mode.empty())
        refusals.push_back(mode);
    for (const archive::LostFunction& function : model.notes.lostFunctions)
        refusals.push_back("the export loses the backward of " + function.name
            + (function.source.empty() ? "" : " (" + function.source + ")")
            + ", an autograd.Function: its gradients and what it saves would be others; training needs a forward that "
              "computes the same with PyTorch's own operators");
    return refusals;
}

std::vector<std::string> refusalsToSimulate(const ExportedModel& model, StepKind step)
{
    SizesOfValues sizes;
    Places withoutKernel;
    forEachNode(model.graph, [&](const Graph& graph, const Node& node) {
        sizes.add(graph, node);
        if (isKnownOperator(node.target) && lacksKernel(node.target, step)) // others run nowhere
            withoutKernel.add(node);
    });
    std::vector<std::string> refusals = sizes.places().sentences(
        "sizes depend on values: ", ", and a simulated device has none; measure it on cpu or cuda:N");
    append(refusals, withoutKernel.sentences("a simulated device has no kernel for ", "; measure it on cpu or cuda:N"));
    return refusals;
}

} // namespace headroom::config
