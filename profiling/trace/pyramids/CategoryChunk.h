// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/CategoryBytes.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace headroom::trace {

/// Summary of the changes of allocated memory inside one bin; bins without a change have no node.
struct CategoryNode {
    std::int64_t bin = 0; ///< covers [bin * 2^shift, (bin + 1) * 2^shift) nanoseconds, shift being the level's
    Bytes min = 0;
    Bytes max = 0;
    Bytes last = 0;
    CategoryBytes atMax{}; ///< when `max` was first reached; sums to it
    CategoryBytes atLast{}; ///< sums to `last`

    bool operator==(const CategoryNode&) const = default;
};

/// Merges a later node into an earlier one.
void mergeCategoryNode(CategoryNode& node, const CategoryNode& later);

inline constexpr std::size_t kMaxCategoryChunkNodes = 1'024;

/// The position of a chunk: its level, and the time that it covers.
struct CategoryChunkPlace {
    int shift = 0;
    std::size_t count = 0; ///< of nodes
    std::int64_t firstNs = 0; ///< begin of the first node's bin
    std::int64_t lastNs = 0; ///< end of the last node's bin, inclusive

    bool operator==(const CategoryChunkPlace&) const = default;
};

/// Consecutive nodes of one level.
struct CategoryChunk {
    int shift = 0;
    CategoryBytes before; ///< what was held before the first node
    std::vector<CategoryNode> nodes;

    CategoryChunkPlace place() const;
};

/// Byte layout: docs/database.md. Throws UsageError for other than 1 to kMaxCategoryChunkNodes nodes.
std::vector<std::byte> encodeCategoryChunk(int shift, const CategoryBytes& before, std::span<const CategoryNode> nodes);

/// Bounds-checked; throws MalformedBlock for anything malformed.
CategoryChunk decodeCategoryChunk(std::span<const std::byte> data);

CategoryChunkPlace placeOf(int shift, std::span<const CategoryNode> nodes);

} // namespace headroom::trace
