// SPDX-License-Identifier: Apache-2.0
#include "core/config/imported/OpsWithoutKernel.h"

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

} // namespace

bool lacksKernel(const std::string& op, StepKind step)
{
    const std::string_view name = shortName(op);
    return opsWithoutKernel().contains(name)
        || (step != StepKind::Inference && opsWithoutBackwardKernel().contains(name));
}

} // namespace headroom::config
