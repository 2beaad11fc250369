// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"

#include <cstddef>
#include <vector>

namespace headroom::planning {

/// One way to run a block of a chain in a training step, and what it costs.
struct BlockChoice {
    Bytes heldBytes = 0; ///< added by the block's forward, and there until its backward
    Bytes forwardBytes = 0; ///< the most during the forward, beyond what was there when it began
    Bytes backwardBytes =
        0; ///< the most during the backward, beyond what was there when it began (held bytes included)
    double seconds = 0; ///< forward, recomputation and backward together

    bool operator==(const BlockChoice&) const = default;
};

/// A block with its choices, and what is there whatever is chosen: weights, state, gradients of later blocks.
struct ChainBlock {
    std::vector<BlockChoice> choices; ///< at least one
    Bytes forwardBase = 0; ///< when the forward begins, without what the blocks before hold
    Bytes backwardBase = 0; ///< when the backward begins, without what this block and those before hold
};

/// The blocks of a model in the order of their forwards, as a step needs memory for them. With X(i) the sum of the held
/// bytes of the blocks up to i, memory is at most
///
///   forwardBase(i) + X(i - 1) + forwardBytes(i)      during the forward of block i,
///   turnBase + X(last)                               between the last forward and the first backward,
///   backwardBase(i) + X(i) + backwardBytes(i)        during the backward of block i,
///   restBytes                                        elsewhere (before the first block, optimizer).
struct BlockChain {
    std::vector<ChainBlock> blocks;
    Bytes turnBase = 0;
    Bytes restBytes = 0;
};

/// A choice for each block, as positions in ChainBlock::choices.
using ChainChoices = std::vector<std::size_t>;

/// The largest of the sums above.
Bytes peakBytesOf(const BlockChain& chain, const ChainChoices& choices);
/// The sum of the blocks' seconds.
double secondsOf(const BlockChain& chain, const ChainChoices& choices);

} // namespace headroom::planning
