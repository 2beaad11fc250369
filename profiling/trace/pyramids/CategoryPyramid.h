// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/CategoryCounters.h"
#include "profiling/trace/pyramids/CategoryChunk.h"

#include <cstddef>
#include <vector>

namespace headroom::trace {

/// Level-of-detail summary of what allocated memory consists of: as Pyramid of allocated bytes, with the categories at
/// the first moment of each node's largest value and at its end.
///
/// A node is large, so finished stretches of a level are kept as they will be stored, at about 30 bytes a node.
class CategoryPyramid {
public:
    explicit CategoryPyramid(const CategoryCounters& before);

    /// Moves bytes as the event says, at `timeNs`. A time before the last one counts as the last one.
    void append(std::int64_t timeNs, const AllocatorEvent& event, const OwnerCategories& owners);
    /// After a gap in the trace: what is held goes on from here.
    void resume(const CategoryCounters& counters);

    const CategoryCounters& counters() const { return m_counters; }
    std::size_t points() const { return m_points; }

    /// A stored piece of a level.
    struct Chunk {
        CategoryChunkPlace place;
        std::vector<std::byte> data;
    };
    /// All chunks, finest level first and in order of time, complete up to the last event; levels coarser than the
    /// first one of at most `smallLevel` nodes are left out. Nothing may be appended afterwards.
    std::vector<Chunk> finish(std::size_t smallLevel);

private:
    /// One width of bins. The last node is open: it goes into the level above when a later bin begins.
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
    bool m_isInterrupted = false; ///< the open node has ended, before a gap
};

} // namespace headroom::trace
