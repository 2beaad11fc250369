// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/simulator/AllocatorLedger.h"
#include "profiling/simulator/AllocatorSettings.h"
#include "profiling/simulator/BlockArena.h"
#include "profiling/simulator/BlockPool.h"
#include "profiling/simulator/DeviceMemory.h"

#include <memory>
#include <vector>

namespace headroom::simulator {

/// Segments that grow: one virtual range of 1 1/8 of the device's memory per stream and pool, into which physical pages
/// (2 MiB for small blocks, the large segment size for others) are mapped as needed.
class ExpandableSegments {
public:
    ExpandableSegments(
        const AllocatorSettings& settings, DeviceMemory& device, BlockArena& arena, AllocatorLedger& ledger);

    /// Maps pages until a free block of at least `bytes` exists, and returns it, removed from its pool. Starts at the
    /// lowest unmapped part with room, together with the free block before it. Null if the device has too little
    /// memory; pages mapped until then stay mapped and cached.
    Block* grow(BlockPool& pool, Stream stream, Bytes bytes);

    /// A range at this address that is in no pool: one unmapped block of at least `leastBytes`.
    Block& adoptRange(BlockPool& pool, Stream stream, Address begin, Bytes leastBytes);

    /// Unmaps the whole pages inside a cached block; parts that share a page with other blocks stay cached.
    void unmap(Block& block);

private:
    Block& growable(BlockPool& pool, Stream stream, Bytes bytes);
    Block& reserveRange(BlockPool& pool, Stream stream);
    Bytes rangeBytes(const BlockPool& pool) const;
    [[nodiscard]] bool map(Block& unmapped, Bytes bytes);
    void releaseRange(Block& block);

    const AllocatorSettings& m_settings;
    DeviceMemory& m_device;
    BlockArena& m_arena;
    AllocatorLedger& m_ledger;
    std::vector<std::unique_ptr<ExpandableRange>> m_ranges;
};

} // namespace headroom::simulator
