// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/AllocatorEvent.h"
#include "profiling/trace/MemoryCounters.h"
#include "profiling/trace/peaks/MemoryTree.h"

#include <unordered_map>

namespace headroom::trace {

/// Follows a trace and knows each live block's size, stream and owner, for trees of what does not follow from owners.
/// Memory grows with the number of live blocks.
class BlockTree {
public:
    explicit BlockTree(const MemoryCounters& before)
        : m_counters(before)
        , m_heldBefore(before.allocated)
    {
    }

    void apply(const AllocatorEvent& event);
    const MemoryCounters& counters() const { return m_counters; }

    /// Grouping::Size: sizes between two powers of two, "16 MiB to 32 MiB", and below them each size; Grouping::Stream:
    /// "stream 0", and below it the categories. What was there before and has no blocks is the root's own.
    MemoryNode tree(const OwnerTable& owners, Grouping grouping) const;

private:
    struct LiveBlock {
        Bytes bytes = 0;
        std::int32_t stream = 0;
        OwnerId owner = kUnknownOwner;
    };

    MemoryCounters m_counters;
    Bytes m_heldBefore;
    std::unordered_map<std::uint64_t, LiveBlock> m_blocks;
};

} // namespace headroom::trace
