// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/archive/Blocks.h"
#include "core/archive/ExportedModel.h"
#include "core/archive/Linears.h"

namespace headroom::archive {

/// Where inner channels come from: rows of a projection, with channel 0 at row `first`.
struct InnerChannels {
    std::size_t projection = 0; ///< index into FeedForwardNodes::projections
    std::int64_t first = 0;
    std::string value; ///< that the activation reads
};

/// A feed-forward that was found by its shape: one or two Linears of one input, only operations on single elements
/// between them and a last Linear. So its inner channels can be computed in slices. A projection that is cut into two
/// halves of channels counts as two.
struct FeedForwardNodes {
    std::string path; ///< of the innermost module with all of it
    std::vector<LinearNode> projections;
    LinearNode output;
    std::vector<InnerChannels> channels; ///< one, or those of value and gate
    std::vector<std::size_t> between; ///< nodes in their order, those that cut a projection left out
    std::vector<std::size_t> cuts; ///< nodes that cut a projection
    std::string input; ///< value
    std::int64_t inner = 0; ///< channels
};

/// The feed-forwards of a model's blocks, or of all of it if it has none, in the order in which they run.
std::vector<FeedForwardNodes> findFeedForwards(const ExportedModel& model, const Blocks& blocks);

/// "model.layers.*.mlp: 2 Linears to 64 channels, silu, mul, 1 Linear (4 of them)", one line a kind.
std::vector<std::string> describeFeedForwards(
    const ExportedModel& model, const std::vector<FeedForwardNodes>& feedForwards);

} // namespace headroom::archive
