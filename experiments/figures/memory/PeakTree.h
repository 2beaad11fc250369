// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/Figure.h"
#include "profiling/trace/peaks/MemoryTree.h"

#include <cstddef>
#include <string>
#include <vector>

namespace headroom::figures {

/// A row of the tree of a peak. At every row `categories` are the sum of those of the rows below it, where there are
/// any: what a node holds itself is a row of its own, and so is what is too small for one.
struct PeakTreeRow {
    enum class Kind {
        Node,
        Itself, ///< what the node above holds beside its children
        Smaller ///< several nodes that are not told apart
    };

    Kind kind = Kind::Node;
    std::string name; ///< "transformer_blocks.0-27", "(itself)"
    std::size_t alike = 1; ///< nodes that hold the same and are one row: all of them together hold the bytes
    trace::CategoryBytes categories;
    std::vector<PeakTreeRow> rows; ///< the largest first
    std::string whole{}; ///< a name that was shortened, in full; frames of a call stack on a line each

    Bytes bytes() const { return categories.total(); }

    bool operator==(const PeakTreeRow&) const = default;
};

/// The same as a tree for reading: equal siblings are one row, a chain of single children too, and what is below
/// `leastShare` of the whole is summed up. The root is the peak. Frames of call stacks are shortened (shortFrame), and
/// of a chain of them the first and the last are named.
PeakTreeRow peakTree(const trace::MemoryNode& tree, trace::Grouping grouping, double leastShare);

/// "Saved activations 90.0 %, weights 8.0 %, 3 more": the largest ones, in words.
std::string mostlyText(const trace::CategoryBytes& categories);

/// A line for each row, with its path and exact bytes, in all and by category.
Table toTable(const PeakTreeRow& root);

} // namespace headroom::figures
