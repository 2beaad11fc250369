// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/simulator/AllocatorSnapshot.h"
#include "profiling/simulator/Block.h"

#include <deque>
#include <vector>

namespace headroom::simulator {

/// Owns the block records and the linked lists of adjacent blocks in each segment. Records are reused and never move.
class BlockArena {
public:
    /// Creates a block that is a whole segment.
    Block& create(BlockPool& pool, Stream stream, Address address, Bytes bytes);
    void recycle(Block& block);

    /// Splits the first `bytes` off `block` and returns them as a new block; `block` keeps the rest.
    Block& splitFront(Block& block, Bytes bytes);
    /// Keeps the first `bytes` in `block` and returns the rest.
    Block& splitBack(Block& block, Bytes bytes);

    /// Merges a free neighbour of the same mapped state into `block`, removing it from its pool. Returns the bytes
    /// gained, 0 if the neighbour is missing or in use.
    Bytes tryMerge(Block& block, Block* neighbour);

    /// Every record; records without a pool are not in use.
    const std::deque<Block>& records() const { return m_records; }

private:
    Block& take();

    std::deque<Block> m_records;
    std::vector<Block*> m_unused;
};

/// The segments of an arena with their blocks. Unmapped parts of expandable segments are left out, so that each mapped
/// run is a segment, as in PyTorch's snapshot.
AllocatorSnapshot snapshotOf(const BlockArena& arena);

} // namespace headroom::simulator
