// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Workload.h"

#include <cstdint>

namespace headroom::config {

/// The shape field of language models that says into how many pieces each sequence is cut for the head and the loss.
inline constexpr const char* kLossChunks = "chunks";

/// How many pieces of each sequence a workload asks the last product and the cross entropy to be computed for, one
/// after the other. 1: the whole, as for every other loss, every other model, and for inference, which has no loss.
std::int64_t lossChunks(const Workload& workload);

/// How many of them there are: pieces have ceil(tokens / chunks) tokens each, the last one what is left.
std::int64_t piecesOf(std::int64_t tokens, std::int64_t chunks);

/// The same workload with the loss of the whole output, which is equal but for rounding: for whoever needs the output
/// in one tensor.
Workload withWholeLoss(Workload workload);

} // namespace headroom::config
