// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/peaks/MemoryTree.h"

#include <string>
#include <vector>

namespace headroom::trace {

/// A node of a tree in which numbered siblings with equal contents, down to their leaves, are merged: 28 equal blocks.
struct FoldedNode {
    std::string name{}; ///< "0-27", "0-12, 14-27", "0, 2, ... 26"
    std::size_t count = 1; ///< nodes in one
    CategoryBytes own{}; ///< of each of them; so the next
    CategoryBytes total{};
    std::vector<FoldedNode> children{}; ///< of each of them; largest first, by what all in one hold

    Bytes eachBytes() const { return total.total(); }
    Bytes allBytes() const { return total.total() * static_cast<Bytes>(count); }

    bool operator==(const FoldedNode&) const = default;
};

/// Folds a tree for display; the sums stay exact.
FoldedNode folded(const MemoryNode& tree);

} // namespace headroom::trace
