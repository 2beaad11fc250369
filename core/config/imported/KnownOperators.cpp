// SPDX-License-Identifier: Apache-2.0
#include "core/config/imported/KnownOperators.h"

#include <sstream>

namespace headroom::config {
namespace {

// Name and overload of each; without a dot: the overload "default". They compute on their tensors, and their kernels
// check indices and sizes, or ArgumentChecks of core/models/imported does. Not among them: what maps files (from_file),
// takes a storage or changes a tensor's own (set_, resize_, out=), checks nothing (unsafe_..., _index_put_impl_,
// backward passes, kernels behind composite operators such as native_batch_norm), and tensors that are not dense.
constexpr const char* kOperators = R"(
__and__.Scalar __and__.Tensor __iand__.Scalar __iand__.Tensor __ilshift__.Scalar __ilshift__.Tensor __ior__.Scalar
__ior__.Tensor __irshift__.Scalar __irshift__.Tensor __ixor__.Scalar __ixor__.Tensor __lshift__.Scalar
__lshift__.Tensor __or__.Scalar __or__.Tensor __rshift__.Scalar __rshift__.Tensor __xor__.Scalar __xor__.Tensor
_adaptive_avg_pool2d _adaptive_avg_pool3d _assert_async _assert_async.msg _assert_scalar _assert_tensor_metadata
_cast_Byte _cast_Char _cast_Double _cast_Float _cast_Half _cast_Int _cast_Long _cast_Short _cdist_forward _conj
_conj_copy _conj_physical _convolution _euclidean_dist _fake_quantize_learnable_per_channel_affine
_fake_quantize_learnable_per_tensor_affine _functional_assert_async.msg _functional_assert_scalar
_functional_sym_constrain_range _functional_sym_constrain_range_for_size _fused_rms_norm _grouped_mm _int_mm
_is_all_true _is_any_true _linalg_check_errors _linalg_det _linalg_eigh _linalg_slogdet _linalg_solve_ex _linalg_svd
_local_scalar_dense _log_softmax _logcumsumexp _native_multi_head_attention _neg_view _neg_view_copy _prelu_kernel
_safe_softmax _sample_dirichlet _scaled_mm _shape_as_tensor _softmax _standard_gamma _to_copy
_transformer_encoder_layer_fwd _unique _unique2 _upsample_bicubic2d_aa _upsample_bicubic2d_aa.vec
_upsample_bilinear2d_aa _upsample_bilinear2d_aa.vec _upsample_nearest_exact1d _upsample_nearest_exact1d.vec
_upsample_nearest_exact2d _upsample_nearest_exact2d.vec _upsample_nearest_exact3d _upsample_nearest_exact3d.vec
_weight_int8pack_mm _weight_norm abs abs_ absolute absolute_ acos acos_ acosh acosh_ adaptive_avg_pool1d
adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d add.Scalar
add.Tensor add_.Scalar add_.Tensor addbmm addbmm_ addcdiv addcdiv_ addcmul addcmul_ addmm addmm.dtype addmm_ addmv
addmv_ addr addr_ adjoint affine_grid_generator alias alias_copy all all.dim all.dims allclose alpha_dropout
alpha_dropout_ amax amin aminmax angle any any.dim any.dims arange arange.start arange.start_step arccos arccos_
arccosh arccosh_ arcsin arcsin_ arcsinh arcsinh_ arctan arctan2 arctan2_ arctan_ arctanh arctanh_ argmax argmin
argsort argsort.stable argwhere as_strided as_strided_copy as_strided_scatter asin asin_ asinh asinh_ atan atan2
atan2_ atan_ atanh atanh_ atleast_1d atleast_1d.Sequence atleast_2d atleast_2d.Sequence atleast_3d atleast_3d.Sequence
avg_pool1d avg_pool2d avg_pool3d baddbmm baddbmm.dtype baddbmm_ bartlett_window bartlett_window.periodic batch_norm
bernoulli bernoulli.Tensor bernoulli.p bernoulli_.Tensor bernoulli_.float bilinear binary_cross_entropy
binary_cross_entropy_with_logits bincount bitwise_and.Scalar bitwise_and.Scalar_Tensor bitwise_and.Tensor
bitwise_and_.Scalar bitwise_and_.Tensor bitwise_left_shift.Scalar_Tensor bitwise_left_shift.Tensor
bitwise_left_shift.Tensor_Scalar bitwise_left_shift_.Tensor bitwise_left_shift_.Tensor_Scalar bitwise_not bitwise_not_
bitwise_or.Scalar bitwise_or.Scalar_Tensor bitwise_or.Tensor bitwise_or_.Scalar bitwise_or_.Tensor
bitwise_right_shift.Scalar_Tensor bitwise_right_shift.Tensor bitwise_right_shift.Tensor_Scalar
bitwise_right_shift_.Tensor bitwise_right_shift_.Tensor_Scalar bitwise_xor.Scalar bitwise_xor.Scalar_Tensor
bitwise_xor.Tensor bitwise_xor_.Scalar bitwise_xor_.Tensor blackman_window blackman_window.periodic block_diag bmm
bmm.dtype broadcast_tensors broadcast_to bucketize.Scalar bucketize.Tensor cartesian_prod cat cauchy cauchy_ cdist
ceil ceil_ celu celu_ chain_matmul chalf channel_shuffle cholesky cholesky_inverse cholesky_solve chunk clamp
clamp.Tensor clamp_ clamp_.Tensor clamp_max clamp_max.Tensor clamp_max_ clamp_max_.Tensor clamp_min clamp_min.Tensor
clamp_min_ clamp_min_.Tensor clip clip.Tensor clip_ clip_.Tensor clone col2im column_stack combinations complex concat
concatenate conj conj_physical conj_physical_ constant_pad_nd contiguous conv1d conv1d.padding conv2d conv2d.padding
conv3d conv3d.padding conv_tbc conv_transpose1d conv_transpose2d.input conv_transpose3d.input convolution copy copy_
copysign.Scalar copysign.Tensor copysign_.Scalar copysign_.Tensor corrcoef cos cos_ cosh cosh_ cosine_embedding_loss
cosine_similarity count_nonzero count_nonzero.dim_IntList cov cross cross_entropy_loss ctc_loss.IntList
ctc_loss.Tensor cummax cummin cumprod cumprod_ cumsum cumsum_ cumulative_trapezoid.dx cumulative_trapezoid.x deg2rad
deg2rad_ det detach detach_ detach_copy diag diag_embed diagflat diagonal diagonal_copy diagonal_scatter diff digamma
digamma_ dist div.Scalar div.Scalar_mode div.Tensor div.Tensor_mode div_.Scalar div_.Scalar_mode div_.Tensor
div_.Tensor_mode divide.Scalar divide.Scalar_mode divide.Tensor divide.Tensor_mode divide_.Scalar divide_.Scalar_mode
divide_.Tensor divide_.Tensor_mode dot dropout dropout_ dsplit.array dsplit.int dstack einsum elu elu_ embedding
embedding_bag embedding_bag.padding_idx embedding_renorm embedding_renorm_ empty.memory_format empty_like
empty_permuted empty_strided eq.Scalar eq.Tensor eq_.Scalar eq_.Tensor equal erf erf_ erfc erfc_ erfinv erfinv_ exp
exp2 exp2_ exp_ expand expand_as expand_copy expm1 expm1_ exponential exponential_ eye eye.m
fake_quantize_per_channel_affine fake_quantize_per_channel_affine_cachemask fake_quantize_per_tensor_affine
fake_quantize_per_tensor_affine.tensor_qparams fake_quantize_per_tensor_affine_cachemask feature_alpha_dropout
feature_alpha_dropout_ feature_dropout feature_dropout_ fft_fft fft_fft2 fft_fftfreq fft_fftn fft_fftshift fft_hfft
fft_hfft2 fft_hfftn fft_ifft fft_ifft2 fft_ifftn fft_ifftshift fft_ihfft fft_ihfft2 fft_ihfftn fft_irfft fft_irfft2
fft_irfftn fft_rfft fft_rfft2 fft_rfftfreq fft_rfftn fill.Scalar fill.Tensor fill_.Scalar fill_.Tensor fill_diagonal_
fix fix_ flatten.using_ints flatten_dense_tensors flip fliplr flipud float_power.Scalar float_power.Tensor_Scalar
float_power.Tensor_Tensor float_power_.Scalar float_power_.Tensor floor floor_ floor_divide floor_divide.Scalar
floor_divide_.Scalar floor_divide_.Tensor fmax fmin fmod.Scalar fmod.Tensor fmod_.Scalar fmod_.Tensor frac frac_
frexp.Tensor frobenius_norm.dim full full_like gather gcd gcd_ ge.Scalar ge.Tensor ge_.Scalar ge_.Tensor gelu gelu_
geometric geometric_ geqrf ger glu gradient.array gradient.scalararray gradient.scalarint gradient.scalarrayarray
gradient.scalarrayint gradient.tensorarray gradient.tensorarrayint greater.Scalar greater.Tensor greater_.Scalar
greater_.Tensor greater_equal.Scalar greater_equal.Tensor greater_equal_.Scalar greater_equal_.Tensor grid_sampler
grid_sampler_2d grid_sampler_3d group_norm gru.input gru_cell gt.Scalar gt.Tensor gt_.Scalar gt_.Tensor hamming_window
hamming_window.periodic hamming_window.periodic_alpha hamming_window.periodic_alpha_beta hann_window
hann_window.periodic hardshrink hardsigmoid hardsigmoid_ hardswish hardswish_ hardtanh hardtanh_ hash_tensor heaviside
heaviside_ hinge_embedding_loss histc histogram.bin_ct histogram.bins_tensor histogramdd histogramdd.TensorList_bins
histogramdd.int_bins hsplit.array hsplit.int hstack huber_loss hypot hypot_ i0 i0_ igamma igamma_ igammac igammac_
im2col imag index.Tensor index_add index_add_ index_copy index_copy_ index_fill.int_Scalar index_fill.int_Tensor
index_fill_.int_Scalar index_fill_.int_Tensor index_put index_put_ index_reduce index_reduce_ index_select inner
instance_norm inverse is_complex is_conj is_floating_point is_neg is_nonzero is_same_size is_signed isclose isfinite
isin.Scalar_Tensor isin.Tensor_Scalar isin.Tensor_Tensor isinf isnan isneginf isposinf isreal istft item kaiser_window
kaiser_window.beta kaiser_window.periodic kl_div kron kthvalue l1_loss layer_norm lcm lcm_ ldexp.Tensor ldexp_
le.Scalar le.Tensor le_.Scalar le_.Tensor leaky_relu leaky_relu_ lerp.Scalar lerp.Tensor lerp_.Scalar lerp_.Tensor
less.Scalar less.Tensor less_.Scalar less_.Tensor less_equal.Scalar less_equal.Tensor less_equal_.Scalar
less_equal_.Tensor lgamma lgamma_ lift lift_fresh lift_fresh_copy linalg_cholesky linalg_cholesky_ex linalg_cond
linalg_cond.p_str linalg_cross linalg_det linalg_diagonal linalg_eig linalg_eigh linalg_eigvalsh
linalg_householder_product linalg_inv linalg_inv_ex linalg_ldl_factor linalg_ldl_factor_ex linalg_lstsq linalg_lu
linalg_lu_factor linalg_lu_factor_ex linalg_matmul linalg_matrix_exp linalg_matrix_norm linalg_matrix_norm.str_ord
linalg_matrix_power linalg_matrix_rank linalg_matrix_rank.atol_rtol_float linalg_matrix_rank.atol_rtol_tensor
linalg_matrix_rank.tol_tensor linalg_multi_dot linalg_norm linalg_norm.ord_str linalg_pinv linalg_pinv.atol_rtol_float
linalg_pinv.atol_rtol_tensor linalg_pinv.rcond_tensor linalg_qr linalg_slogdet linalg_solve linalg_solve_ex
linalg_solve_triangular linalg_svd linalg_svdvals linalg_tensorinv linalg_tensorsolve linalg_vander linalg_vecdot
linalg_vector_norm linear linspace linspace.Scalar_Tensor linspace.Tensor_Scalar linspace.Tensor_Tensor log log10
log10_ log1p log1p_ log2 log2_ log_ log_normal log_normal_ log_sigmoid log_sigmoid_forward log_softmax.int logaddexp
logaddexp2 logcumsumexp logdet logical_and logical_and_ logical_not logical_not_ logical_or logical_or_ logical_xor
logical_xor_ logit logit_ logspace logspace.Scalar_Tensor logspace.Tensor_Scalar logspace.Tensor_Tensor logsumexp
lstm.input lstm_cell lt.Scalar lt.Tensor lt_.Scalar lt_.Tensor mH mT margin_ranking_loss masked_fill.Scalar
masked_fill.Tensor masked_fill_.Scalar masked_fill_.Tensor masked_scatter masked_scatter_ masked_select matmul
matrix_H matrix_exp matrix_power max max.dim max.other max_pool1d max_pool1d_with_indices max_pool2d
max_pool2d_with_indices max_pool3d max_pool3d_with_indices max_unpool2d max_unpool3d maximum mean mean.dim median
median.dim meshgrid meshgrid.indexing min min.dim min.other minimum mish mish_ mm mm.dtype mode moveaxis.int
moveaxis.intlist movedim.int movedim.intlist mse_loss msort mul.Scalar mul.Tensor mul_.Scalar mul_.Tensor
multi_margin_loss multilabel_margin_loss multilabel_margin_loss_forward multinomial multiply.Scalar multiply.Tensor
multiply_.Scalar multiply_.Tensor mv mvlgamma mvlgamma_ nan_to_num nan_to_num_ nanmean nanmedian nanmedian.dim
nanquantile nanquantile.scalar nansum narrow narrow.Tensor narrow_copy native_dropout native_group_norm
native_layer_norm ne.Scalar ne.Tensor ne_.Scalar ne_.Tensor neg neg_ negative negative_ new_empty new_empty_strided
new_full new_ones new_zeros nextafter nextafter_ nll_loss nll_loss2d nll_loss2d_forward nll_loss_forward nll_loss_nd
nonzero nonzero_numpy nonzero_static norm.Scalar norm.ScalarOpt_dim norm.ScalarOpt_dim_dtype norm.ScalarOpt_dtype
norm_except_dim normal.Tensor_Tensor normal.Tensor_float normal.float_Tensor normal.float_float normal_
normal_functional not_equal.Scalar not_equal.Tensor not_equal_.Scalar not_equal_.Tensor nuclear_norm nuclear_norm.dim
numpy_T one_hot ones ones_like orgqr ormqr outer pad pad_sequence pairwise_distance pdist permute permute_copy
pinverse pixel_shuffle pixel_unshuffle poisson poisson_nll_loss polar polygamma polygamma_ positive pow.Scalar
pow.Tensor_Scalar pow.Tensor_Tensor pow_.Scalar pow_.Tensor prelu prod prod.dim_int put put_ qr quantile
quantile.scalar rad2deg rad2deg_ rand rand_like randint randint.low randint_like randint_like.Tensor
randint_like.low_dtype randn randn_like random random.from random.to random_ random_.from random_.to randperm range
range.step ravel real reciprocal reciprocal_ reflection_pad1d reflection_pad2d reflection_pad3d relu relu6 relu6_
relu_ remainder.Scalar remainder.Scalar_Tensor remainder.Tensor remainder_.Scalar remainder_.Tensor renorm renorm_
repeat repeat_interleave.Tensor repeat_interleave.self_Tensor repeat_interleave.self_int replication_pad1d
replication_pad2d replication_pad3d reshape reshape_as resolve_conj resolve_neg rms_norm rnn_relu.input rnn_relu_cell
rnn_tanh.input rnn_tanh_cell roll rot90 round round.decimals round_ round_.decimals row_stack rrelu rrelu_ rsqrt
rsqrt_ rsub.Scalar rsub.Tensor scalar_tensor scaled_dot_product_attention scatter.reduce scatter.src scatter.value
scatter.value_reduce scatter_.reduce scatter_.src scatter_.value scatter_.value_reduce scatter_add scatter_add_
scatter_reduce.two scatter_reduce_.two searchsorted.Scalar searchsorted.Tensor select.int select_copy.int
select_scatter selu selu_ sgn sgn_ sigmoid sigmoid_ sign sign_ signbit silu silu_ sin sin_ sinc sinc_ sinh sinh_
size.int slice.Tensor slice_copy.Tensor slice_scatter slogdet smooth_l1_loss soft_margin_loss softmax.int softplus
softshrink sort sort.stable special_airy_ai special_bessel_j0 special_bessel_j1 special_bessel_y0 special_bessel_y1
special_chebyshev_polynomial_t special_chebyshev_polynomial_t.n_scalar special_chebyshev_polynomial_t.x_scalar
special_chebyshev_polynomial_u special_chebyshev_polynomial_u.n_scalar special_chebyshev_polynomial_u.x_scalar
special_chebyshev_polynomial_v special_chebyshev_polynomial_v.n_scalar special_chebyshev_polynomial_v.x_scalar
special_chebyshev_polynomial_w special_chebyshev_polynomial_w.n_scalar special_chebyshev_polynomial_w.x_scalar
special_digamma special_entr special_erf special_erfc special_erfcx special_erfinv special_exp2 special_expit
special_expm1 special_gammainc special_gammaincc special_gammaln special_hermite_polynomial_h
special_hermite_polynomial_h.n_scalar special_hermite_polynomial_h.x_scalar special_hermite_polynomial_he
special_hermite_polynomial_he.n_scalar special_hermite_polynomial_he.x_scalar special_i0 special_i0e special_i1
special_i1e special_log1p special_log_ndtr special_log_softmax special_logit special_logsumexp
special_modified_bessel_i0 special_modified_bessel_i1 special_modified_bessel_k0 special_modified_bessel_k1
special_multigammaln special_ndtr special_ndtri special_polygamma special_psi special_round
special_scaled_modified_bessel_k0 special_scaled_modified_bessel_k1 special_shifted_chebyshev_polynomial_t
special_shifted_chebyshev_polynomial_t.n_scalar special_shifted_chebyshev_polynomial_t.x_scalar
special_shifted_chebyshev_polynomial_u special_shifted_chebyshev_polynomial_u.n_scalar
special_shifted_chebyshev_polynomial_u.x_scalar special_shifted_chebyshev_polynomial_v
special_shifted_chebyshev_polynomial_v.n_scalar special_shifted_chebyshev_polynomial_v.x_scalar
special_shifted_chebyshev_polynomial_w special_shifted_chebyshev_polynomial_w.n_scalar
special_shifted_chebyshev_polynomial_w.x_scalar special_sinc special_softmax special_spherical_bessel_j0
special_xlog1py special_xlog1py.other_scalar special_xlog1py.self_scalar special_xlogy special_xlogy.other_scalar
special_xlogy.self_scalar special_zeta special_zeta.other_scalar special_zeta.self_scalar split.Tensor split.sizes
split_copy.Tensor split_with_sizes split_with_sizes_copy sqrt sqrt_ square square_ squeeze squeeze.dim squeeze.dims
squeeze_ squeeze_.dim squeeze_.dims squeeze_copy squeeze_copy.dim squeeze_copy.dims stack std std.correction std.dim
std_mean std_mean.correction std_mean.dim stft stft.center stride.int sub.Scalar sub.Tensor sub_.Scalar sub_.Tensor
subtract.Scalar subtract.Tensor subtract_.Scalar subtract_.Tensor sum sum.dim_IntList sum_to_size svd swapaxes
swapaxes_ swapdims swapdims_ sym_constrain_range sym_constrain_range_for_size sym_is_contiguous sym_numel sym_size.int
sym_storage_offset sym_stride.int t t_ t_copy take take_along_dim tan tan_ tanh tanh_ tensor_split.indices
tensor_split.sections tensor_split.tensor_indices_or_sections tensordot threshold threshold_ tile to.device to.dtype
to.dtype_layout to.other topk trace transpose.int transpose_ transpose_copy.int trapezoid.dx trapezoid.x trapz.dx
trapz.x triangular_solve tril tril_ tril_indices triplet_margin_loss triu triu_ triu_indices true_divide.Scalar
true_divide.Tensor true_divide_.Scalar true_divide_.Tensor trunc trunc_ type_as unbind.int unbind_copy.int
unflatten.int unflatten_dense_tensors unfold unfold_copy uniform uniform_ unique_consecutive unique_dim
unique_dim_consecutive unsqueeze unsqueeze_ unsqueeze_copy upsample_bicubic2d upsample_bicubic2d.vec
upsample_bilinear2d upsample_bilinear2d.vec upsample_linear1d upsample_linear1d.vec upsample_nearest1d
upsample_nearest1d.vec upsample_nearest2d upsample_nearest2d.vec upsample_nearest3d upsample_nearest3d.vec
upsample_trilinear3d upsample_trilinear3d.vec vander var var.correction var.dim var_mean var_mean.correction
var_mean.dim vdot view view.dtype view_as view_as_complex view_as_complex_copy view_as_real view_as_real_copy
view_copy view_copy.dtype vsplit.array vsplit.int vstack where where.Scalar where.ScalarOther where.ScalarSelf
where.self xlogy.Scalar_Other xlogy.Scalar_Self xlogy.Tensor xlogy_.Scalar_Other xlogy_.Tensor zero zero_ zeros
zeros_like
)";

} // namespace

const std::set<std::string, std::less<>>& knownOperators()
{
    static const std::set<std::string, std::less<>> operators = [] {
        std::istringstream words(kOperators);
        std::set<std::string, std::less<>> names;
        for (std::string word; words >> word;)
            names.insert(word);
        return names;
    }();
    return operators;
}

bool isKnownOperator(std::string_view target)
{
    constexpr std::string_view kAten = "torch.ops.aten.";
    constexpr std::string_view kDefault = ".default";
    if (!target.starts_with(kAten))
        return false;
    target.remove_prefix(kAten.size());
    if (target.find('.') == std::string_view::npos)
        return false; // without an overload it is no operator
    if (target.ends_with(kDefault))
        target.remove_suffix(kDefault.size());
    return knownOperators().contains(target);
}

} // namespace headroom::config
