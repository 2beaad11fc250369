// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/simulator/profiles/DeviceProfile.h"
#include "profiling/simulator/profiles/RuntimeProfile.h"

#include <array>
#include <span>
#include <vector>

namespace headroom::simulator {

/// Dimensions of one attention call.
struct AttentionShape {
    std::int64_t batch = 0;
    std::int64_t heads = 0;
    std::int64_t queries = 0;
    std::int64_t keys = 0;
    std::int64_t headDim = 0; ///< of queries and keys
    std::int64_t valueDim = 0;
};

/// Trained: an additive mask with a gradient.
enum class AttentionMask { None, Additive, Trained };
enum class Gradients { NotNeeded, Needed };

struct AttentionCall {
    AttentionShape shape;
    MathType type = MathType::Float32;
    AttentionMask mask = AttentionMask::None;
    Gradients gradients = Gradients::NotNeeded;
    double dropout = 0;
    bool sharesKeys = false; ///< several heads of queries have one head of keys
};

/// The backends that LibTorch may choose by default.
inline constexpr std::array kAllAttention{
    AttentionBackend::Flash, AttentionBackend::Efficient, AttentionBackend::Cudnn, AttentionBackend::Math};

/// The backend that scaled_dot_product_attention chooses on CUDA: the first in the profile's order that is allowed and
/// whose constraints hold (aten/src/ATen/native/transformers/cuda/sdp_utils.cpp); math accepts everything and is the
/// fallback if no other backend is allowed.
AttentionBackend chooseAttention(const AttentionCall& call, std::span<const AttentionBackend> allowed,
    const RuntimeProfile& runtime, ComputeCapability capability);

// Bytes of each temporary that a kernel allocates beside its results, in the order of allocation; all are free again
// when the kernel's function returns.

/// Partial sums of FlashAttention-2's forward pass if there would be too few blocks to keep the device busy
/// (flash_attn/flash_api.cpp, num_splits_heuristic); empty with one split.
std::vector<Bytes> flashForwardScratch(const AttentionShape& shape, std::int64_t multiprocessors);

/// The number of splits of the keys in that case.
std::int64_t flashSplits(const AttentionShape& shape, std::int64_t multiprocessors);

/// softmax_d and the float32 sum of the queries' gradient (flash_attn/flash_api.cpp, mha_bwd).
std::vector<Bytes> flashBackwardScratch(const AttentionShape& shape);

/// The queries' gradient and a sum for each of them in float32: the workspace that cuDNN 9.19 names for its backward
/// pass, asked without a device.
std::vector<Bytes> cudnnBackwardScratch(const AttentionShape& shape);

/// Queries for which the memory-efficient kernel keeps a logsumexp: rounded up to a multiple of 32 (kernel_forward.h,
/// kAlignLSE).
std::int64_t efficientLogsumexpQueries(std::int64_t queries);

/// A float32 output if one pass over the values cannot hold it (kernel_forward.h, kNeedsOutputAccumulatorBuffer).
std::vector<Bytes> efficientForwardScratch(const AttentionShape& shape, MathType type);

/// Whether the kernel sums delta itself; else LibTorch computes it by three ops (kernel_backward.h,
/// kKernelComputesDelta).
bool efficientSumsDelta(MathType type);

/// delta, and the accumulators of gradients that do not fit in registers (kernel_backward.h, workspace_size), as
/// rehearsals of LibTorch 2.11 show them: which kernel runs depends on the capability's shared memory.
std::vector<Bytes> efficientBackwardScratch(const AttentionShape& shape, MathType type, ComputeCapability capability);

/// Per-thread buffers of LibTorch's flash attention on the CPU (aten/src/ATen/native/cpu/FlashAttentionKernel.cpp).
std::vector<Bytes> cpuFlashForwardScratch(const AttentionShape& shape, MathType type, std::int64_t threads);
std::vector<Bytes> cpuFlashBackwardScratch(const AttentionShape& shape, MathType type, std::int64_t threads);

/// A multiply-add counts as two: scores and values in the forward pass; in the backward pass five products of that size
/// for a fused kernel, which recomputes the scores.
double attentionForwardFlops(const AttentionShape& shape);
double fusedAttentionBackwardFlops(const AttentionShape& shape);

} // namespace headroom::simulator
