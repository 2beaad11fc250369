// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/peaks/LiveHoldings.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::trace {

/// The contents of memory, from the whole at the root to single modules at the leaves. At every node `total` = `own` +
/// the children's totals, by category.
struct MemoryNode {
    std::string name{}; ///< one part of a path; empty: the root, or what has no name ("no module", "no technique")
    CategoryBytes own{};
    CategoryBytes total{};
    std::vector<MemoryNode> children{}; ///< largest first, equal ones by name, with numbers in numeric order

    Bytes bytes() const { return total.total(); }
    /// Null if there is no such child.
    const MemoryNode* child(std::string_view childName) const;

    bool operator==(const MemoryNode&) const = default;
};

/// What the first level of a tree shows; the modules follow below.
enum class Grouping {
    Module, ///< modules alone
    Category, ///< "weights", ...
    Technique, ///< its key; empty: no technique
    Phase, ///< of allocation, and below it the step: "forward" > "step 3"
    Source, ///< a line of an imported model's source, "modeling_llama.py:312"; empty: not known
    Frame, ///< the call stack of the allocation, the outermost frame first; empty: not known
    Size, ///< of single blocks (BlockTree)
    Stream ///< the same
};

/// "module", "category", "technique", "phase", "source", "frame", "size", "stream".
std::string_view toText(Grouping grouping);
std::optional<Grouping> groupingFromText(std::string_view text);

/// Names at the first level of a tree by phase for memory that no phase of the trace allocated.
inline constexpr std::string_view kBeforeTrace = "before the trace";
inline constexpr std::string_view kOutsideOfPhases = "outside of phases";

/// The parts as a tree; its root's total is that of the parts. Module paths are split at their dots.
MemoryNode memoryTree(const Holdings& holdings, const OwnerTable& owners, Grouping grouping);

/// "transformer_blocks.3" before "transformer_blocks.10".
bool isBeforeByName(std::string_view left, std::string_view right);

/// Builds a tree by adding memory to it.
class MemoryTreeGrowth {
public:
    /// `path`: names from the root's child down to the owner; empty: the root's own memory.
    void add(const std::vector<std::string>& path, config::MemoryCategory category, Bytes bytes);
    MemoryNode take();

private:
    MemoryNode m_root;
};

} // namespace headroom::trace
