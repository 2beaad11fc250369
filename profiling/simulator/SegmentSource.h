// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/simulator/AllocatorLedger.h"
#include "profiling/simulator/AllocatorSettings.h"
#include "profiling/simulator/BlockArena.h"
#include "profiling/simulator/BlockPool.h"
#include "profiling/simulator/DeviceMemory.h"

namespace headroom::simulator {

/// Takes plain segments from the device and returns them. Blocks that it creates are in no pool.
class SegmentSource {
public:
    SegmentSource(const AllocatorSettings& settings, DeviceMemory& device, BlockArena& arena, AllocatorLedger& ledger);

    /// A segment as one free block; null if the device has too little memory.
    Block* allocate(BlockPool& pool, Stream stream, Bytes segmentBytes);

    /// A segment at an address that was chosen elsewhere, as one free block; its memory has been taken from the device.
    Block& adopt(BlockPool& pool, Stream stream, Address address, Bytes segmentBytes);

    /// Returns a cached block that is a whole segment.
    void release(Block& block);

private:
    const AllocatorSettings& m_settings;
    DeviceMemory& m_device;
    BlockArena& m_arena;
    AllocatorLedger& m_ledger;
};

} // namespace headroom::simulator
