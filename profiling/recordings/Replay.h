// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/recordings/Recording.h"
#include "profiling/simulator/CachingAllocator.h"
#include "profiling/simulator/OutOfMemory.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <unordered_map>
#include <vector>

namespace headroom::recordings {

/// Where new segments lie: where they lay, or where the platform's driver would put them.
enum class ReplayAddresses { Recorded, Platform };

/// Under which terms the requests of a recording are served again.
struct ReplayTerms {
    simulator::AllocatorSettings settings{};
    /// Whether these are the recording's own settings: then what was held before its first event is put back as it was,
    /// block by block. Otherwise the blocks that lived are asked for anew, in the order of their addresses.
    bool areRecordedSettings = true;
    std::optional<Bytes> capacityBytes{}; ///< what segments may take; nothing: as much as they ask for
    ReplayAddresses addresses = ReplayAddresses::Recorded; ///< other settings have no recorded addresses
    /// Of ReplayAddresses::Platform; nothing: the recording's, told by its addresses.
    std::optional<config::SegmentAddresses> platform{};
    bool emptiesCache = true; ///< false: calls of empty_cache() are left out
};

/// The request that ended a replay.
struct ReplayFailure {
    std::optional<std::size_t> event{}; ///< place among the events; nothing: what was held before them does not fit
    std::int64_t timeNs = 0;
    simulator::OutOfMemoryFacts facts{};
    trace::OwnerId owner = trace::kUnknownOwner;
    bool isRecorded =
        false; ///< it failed in the recording as well, which tells no more than its size and the free bytes
};

struct ReplayOutcome {
    std::int64_t allocations = 0;
    std::int64_t servedAsRecorded = 0; ///< from the cache, or by new memory of the same size, as in the recording
    std::int64_t placedAsRecorded = 0; ///< at the same address
    std::int64_t flushes = 0; ///< of the whole cache: by empty_cache() and before another try
    std::int64_t flushesOfTheRecordedSet = 0; ///< of `recordedFlushes`: memory of the same sizes went back
    std::int64_t recordedFlushes = 0; ///< that were repeated where they stood
    std::int64_t retries = 0;
    std::int64_t fittingNow = 0; ///< requests that failed in the recording and are served
    Bytes peakAllocatedBytes = 0;
    Bytes peakReservedBytes = 0;
    Bytes allocatedAtReservedPeakBytes = 0; ///< the most while reserved memory is at its peak
    std::int64_t reservedPeakTimeNs = 0; ///< when that is
    std::optional<ReplayFailure> failure{};
};

/// Feeds a recording's requests to the simulated allocator, from the state before its first event on. Requests are the
/// same ones in the same order, whatever the settings. Runs of segments that went back are flushes of the cache: by
/// empty_cache(), or because a request found no memory: told by the stack, else by whether there had been room. The
/// latter are repeated only where no capacity is given, as with one they happen by themselves.
class Replay {
public:
    /// Called after every event of the recording, with what the allocator has counted by then.
    using Listener = std::function<void(std::size_t event, const simulator::DeviceStats&)>;
    /// Called for each block that is handed out, with its size.
    using BlockListener = std::function<void(std::size_t event, Bytes blockBytes)>;
    /// Called for everything that the simulated allocator does after the start has been restored. Times are 0.
    using ServedListener = std::function<void(const trace::AllocatorEvent&)>;

    Replay(const DeviceRecording& recording, const trace::OwnerTable& owners, ReplayTerms terms);

    void setListener(Listener listener) { m_listener = std::move(listener); }
    void setBlockListener(BlockListener listener) { m_blockListener = std::move(listener); }
    void setServedListener(ServedListener listener) { m_servedListener = std::move(listener); }
    const simulator::CachingAllocator& allocator() const { return m_allocator; }

    /// Call once. Ends early, at the first request that fails or where a stop is requested.
    ReplayOutcome run(const std::stop_token& stop = {});

private:
    /// What the recording, or the simulation, took from the device for one allocation or gave back in one flush.
    struct Memory {
        std::vector<Bytes> parts;

        Bytes total() const;
        void clear() { parts.clear(); }
    };
    enum class FlushCause { EmptyCache, Retry };

    std::vector<RecordedSegment> startThatFits();
    void restoreStart();
    void requestStart();
    void follow(const trace::AllocatorEvent& event);
    void step(std::size_t index);
    void takeMemory(const RecordedEvent& event);
    void allocate(std::size_t index);
    void noteServed(const RecordedEvent& event, Address address);
    void requestFree(std::size_t index);
    void completeFree(const RecordedEvent& event);
    void flushBefore(std::size_t index);
    FlushCause causeOf(std::size_t next) const;
    void runOutAsRecorded(std::size_t index);
    void fail(const simulator::OutOfMemory& error, std::optional<std::size_t> index);
    void noteReservedPeak(std::int64_t timeNs);
    bool isDictated() const { return m_terms.areRecordedSettings && m_terms.addresses == ReplayAddresses::Recorded; }

    const DeviceRecording& m_recording;
    const trace::OwnerTable& m_owners;
    ReplayTerms m_terms;
    simulator::CachingAllocator m_allocator;
    Listener m_listener;
    BlockListener m_blockListener;
    ServedListener m_servedListener;
    std::unordered_map<Address, Address> m_simulated; ///< of recorded live blocks
    std::unordered_map<Address, Stream> m_pending; ///< of freed ones: the stream that stands for what still uses them
    Stream m_nextPending;
    Memory m_recordedMemory;
    Memory m_takenMemory;
    Memory m_recordedFlush;
    Memory m_freedMemory;
    Bytes m_recordedPeak; ///< of reserved memory
    Bytes m_recordedReserved; ///< before the next event
    Bytes m_reservedBeforeFlush = 0;
    std::size_t m_flushFirst = 0; ///< the first event of the flush that is being collected
    Bytes m_blockBytes = 0; ///< of the block handed out last
    ReplayOutcome m_outcome;
};

/// What the device offered to the recording's allocator, as far as its failures tell: a request that failed says how
/// much was free, a flush before another try that what it asked for was not. Nothing where nothing failed.
std::optional<Bytes> capacityTold(const DeviceRecording& recording, const trace::OwnerTable& owners);

/// Finds the smallest capacity, to 2 MiB, with which the recording's requests are served under these terms. More memory
/// does not always serve more, as the cache is flushed at other times then: it is found by halving, below `served`
/// where that is known to be enough.
Bytes smallestCapacity(const DeviceRecording& recording, const trace::OwnerTable& owners, ReplayTerms terms,
    const std::stop_token& stop = {}, std::optional<Bytes> served = {});

/// Completes a recording whose events do not tell the sizes of blocks, by replaying it where its segments lay. Returns
/// whether everything was served as recorded; sizes are those of rounding alone where it was not. Frees get the size
/// and the owner of their block.
bool completeBlockSizes(
    DeviceRecording& recording, const trace::OwnerTable& owners, const simulator::AllocatorSettings& settings);

} // namespace headroom::recordings
