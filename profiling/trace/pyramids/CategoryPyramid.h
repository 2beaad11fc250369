// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/CategoryCounters.h"
#include "profiling/trace/pyramids/CategoryChunk.h"

#include <cstddef>
#include <vector>

namespace headroom::trace {

/// Level-of-detail summary of the categories of allocated memory: like Pyramid for allocated bytes, with the categories
/// at the first moment of each node's maximum and at its end.
///
/// Nodes are large, so finished parts of a level are kept in their stored form, at about 30 bytes per node.
class CategoryPyramid {
public:
    explicit CategoryPyramid(const CategoryCounters& before);

    /// Moves bytes as the event says, at `timeNs`. A time earlier than the last one is replaced by it.
    void append(std::int64_t timeNs, const AllocatorEvent& event, const OwnerCategories& owners);
    /// After a gap in the trace: continues with these values.
    void resume(const CategoryCounters& counters);

    const CategoryCounters& counters() const { return m_counters; }
    std::size_t points() const { return m_points; }

    /// A stored part of a level.
    struct Chunk {
        CategoryChunkPlace place;
        std::vector<std::byte> data;
    };
    /// All chunks, finest level first and in order of time, complete up to the last event; levels coarser than the
    /// first one of at most `smallLevel` nodes are omitted. Nothing may be appended afterwards.
    std::vector<Chunk> finish(std::size_t smallLevel);

private:
    /// One bin width. The last node is open: it is merged into the level above when a later bin begins.
    struct Level {
        int shift = 0;
        CategoryBytes before{}; ///< what was held before the first of `nodes`
        std::vector<CategoryNode> nodes{};
        std::vector<Chunk> chunks{}; ///< of the nodes before
        std::size_t count = 0; ///< of all nodes
    };

    void beginNode(std::int64_t bin);
    void endNode();
    static void add(Level& level, const CategoryNode& node);
    void close(std::size_t level);
    void dropFinest();
    std::size_t nodeLimit() const;
    static void store(Level& level, std::size_t nodes);

    std::vector<Level> m_levels;
    CategoryCounters m_counters;
    CategoryBytes m_before;
    std::int64_t m_lastNs = 0;
    std::size_t m_points = 0;
    bool m_isInterrupted = false; ///< the open node ended at a gap
};

} // namespace headroom::trace
