// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/simulator/AllocatorSettings.h"
#include "profiling/simulator/Block.h"
#include "profiling/simulator/BlockArena.h"
#include "profiling/simulator/BlockPool.h"
#include "profiling/simulator/CacheReclaimer.h"
#include "profiling/simulator/DeviceMemory.h"
#include "profiling/simulator/ExpandableSegments.h"
#include "profiling/simulator/SegmentSource.h"
#include "profiling/simulator/SimulatedAllocator.h"
#include "profiling/simulator/SpareNodes.h"

#include <deque>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace headroom::simulator {

/// Freed blocks that other streams may still use. One event per such stream holds a block until the stream is
/// synchronised.
class StreamEvents {
public:
    /// Records an event on each stream that uses the block.
    void defer(Block& block);

    void synchronize(Stream stream);
    void synchronizeAll();

    /// The next block whose last event has finished; null if there is none. It must be put back in its pool before the
    /// next call: until its own turn comes, a waiting block does not look free to its neighbours.
    Block* nextReady();

private:
    std::map<Stream, std::vector<Block*>> m_pending;
    std::deque<Block*> m_ready; ///< one entry per finished event
};

/// PyTorch's CUDA caching allocator on a device without memory: the same blocks, segments and statistics for the same
/// requests. Follows c10/cuda/CUDACachingAllocator.cpp as of late 2025. The driver chooses where segments lie;
/// SegmentPlacement models that from recordings. Private pools (MemPool, those of CUDA graphs) are not modelled.
class CachingAllocator final : public SimulatedAllocator {
public:
    explicit CachingAllocator(DeviceCapacity capacity = {}, const AllocatorSettings& settings = {});

    using SimulatedAllocator::allocate;
    Address allocate(Bytes requestedBytes, Stream stream) override;
    void free(Address address) override;
    void recordStream(Address address, Stream stream) override;
    void synchronize(Stream stream) override { m_events.synchronize(stream); }
    void synchronizeAll() override { m_events.synchronizeAll(); }
    void emptyCache() override;
    AllocatorSnapshot snapshot() const override;

    /// Puts the next non-expandable segment at this address, taken from a recording, instead of where the platform
    /// would put it; nothing: the platform decides again.
    void dictateSegment(std::optional<Address> address) { m_device.dictateSegment(address); }
    /// The same of the virtual range of the next expandable segment.
    void dictateRange(std::optional<Address> address) { m_device.dictateRange(address); }

    /// Puts an allocator that has not been used into the state of a snapshot, with all events that lead there. A run of
    /// pages begins its range, unless one of `rangeBegins` (ascending) below it does. Throws OutOfMemory if the device
    /// does not have the memory.
    void restore(const AllocatorSnapshot& snapshot, std::span<const Address> rangeBegins = {});

    /// Limits reserved memory to a fraction (0 to 1) of the device's total. Throws Error outside that range.
    void setMemoryFraction(double fraction);

    const AllocatorSettings& settings() const { return m_settings; }
    /// Bytes that are still available for new segments.
    Bytes freeDeviceBytes() const { return m_device.freeBytes(); }

private:
    struct Request {
        Bytes requestedBytes;
        Bytes roundedBytes;
        Bytes segmentBytes;
        Stream stream;
        BlockPool* pool;
    };

    void restorePlain(const SegmentSnapshot& segment);
    void restoreRange(std::span<const SegmentSnapshot* const> runs, Address begin);
    void restoreBlock(Block& block, const BlockSnapshot& state);
    void takeForRestored(Bytes bytes);

    Block* takeCached(const Request& request, BlockPool& pool);
    FitOrder::const_iterator smallestGrowth(FitOrder::const_iterator fit, const BlockPool& pool) const;
    Block& obtain(const Request& request);
    Block* takeNew(const Request& request);
    bool isRejected(const Request& request);
    [[noreturn]] void fail(const Request& request);

    Block& split(Block& block, Bytes roundedBytes);
    Address handOut(Block& found, const Request& request);
    std::unordered_map<Address, Block*>::iterator handedOut(Address address);
    void completeFree(Block& block);
    void completeDeferredFrees();
    void releaseCached();

    AllocatorSettings m_settings;
    DeviceMemory m_device;
    BlockArena m_arena;
    SegmentSource m_segments;
    ExpandableSegments m_ranges;
    CacheReclaimer m_reclaimer;
    PoolPair m_pools;
    StreamEvents m_events;
    std::unordered_map<Address, Block*> m_handedOut;
    SpareNodes<decltype(m_handedOut)> m_spareNodes;
};

} // namespace headroom::simulator
