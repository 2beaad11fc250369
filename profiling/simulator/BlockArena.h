// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/simulator/AllocatorSnapshot.h"
#include "profiling/simulator/Block.h"

#include <deque>
#include <vector>

namespace headroom::simulator {

/// Owns the block records and the chains that tile each segment. Records are reused and never move.
class BlockArena {
public:
    /// A block that is a segment of its own.
    Block& create(BlockPool& pool, Stream stream, Address address, Bytes bytes);
    void recycle(Block& block);

    /// Cuts the first `bytes` off `block` and returns them as a block of their own; `block` is the rest.
    Block& splitFront(Block& block, Bytes bytes);
    /// Keeps the first `bytes` in `block` and returns the rest.
    Block& splitBack(Block& block, Bytes bytes);

    /// Joins a free neighbour of the same mapped state to `block`, taking it out of its pool.
    /// Returns the bytes gained, 0 if the neighbour is missing or in use.
    Bytes tryMerge(Block& block, Block* neighbour);

    /// Every record; those without a pool are not in use.
    const std::deque<Block>& records() const { return m_records; }

private:
    Block& take();

    std::deque<Block> m_records;
    std::vector<Block*> m_unused;
};

/// The segments of an arena with their blocks. Parts of expandable segments without memory are left out, so that each
/// mapped run is a segment, as in PyTorch's snapshot.
AllocatorSnapshot snapshotOf(const BlockArena& arena);

} // namespace headroom::simulator
