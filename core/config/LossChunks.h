// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Workload.h"

#include <cstdint>

namespace headroom::config {

/// The shape field of language models that says into how many pieces each sequence is cut for the head and the loss.
inline constexpr const char* kLossChunks = "chunks";

/// The shape field of language models that asks for the loss fused with the last product.
inline constexpr const char* kFusedLoss = "fused";

/// How many pieces of each sequence a workload asks the last product and the cross entropy to be computed for, one
/// after the other. 1: the whole, as for every other loss, every other model, and for inference, which has no loss.
std::int64_t lossChunks(const Workload& workload);

/// How many of them there are: pieces have ceil(tokens / chunks) tokens each, the last one what is left.
std::int64_t piecesOf(std::int64_t tokens, std::int64_t chunks);

/// Whether a workload asks for the last product and the cross entropy in one, which keeps no logits and computes their
/// gradients in the forward pass.
bool isLossFused(const Workload& workload);

/// Of `rows` tokens (of all sequences), how many the fused loss takes at once: a chunk of them if chunks are given
/// (more than 1); otherwise as many as need about as much memory for their logits as all tokens do for their hidden
/// states of `width`: the power of two at or above rows / ceil(vocabulary / width), as Liger Kernel has it.
std::int64_t fusedRows(std::int64_t rows, std::int64_t width, std::int64_t vocabulary, std::int64_t chunks);

/// The same workload with the loss of the whole output, which is equal but for rounding: for whoever needs the output
/// in one tensor.
Workload withWholeLoss(Workload workload);

} // namespace headroom::config
