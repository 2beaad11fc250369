// SPDX-License-Identifier: Apache-2.0
#include "profiling/kernels/OpParts.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

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

} // namespace

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

bool failsOnMeta(const std::string& op)
{
    return std::ranges::find(kFailing, op) != kFailing.end();
}

} // namespace headroom::collectors
