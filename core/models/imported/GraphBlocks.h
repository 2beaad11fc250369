// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/archive/Blocks.h"
#include "core/models/imported/GraphRun.h"

namespace headroom::models {

/// The graph's blocks with the values that pass their borders. `recorded`: for each value the node after which it is
/// let go, as setLifetimes returns it.
std::vector<ExecutableGraph::Block> executableBlocks(
    const ExecutableGraph& graph, const archive::Blocks& blocks, const std::vector<std::size_t>& recorded);

} // namespace headroom::models
