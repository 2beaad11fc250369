// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/traces/PeakSearch.h"
#include "profiling/store/traces/TraceReader.h"
#include "profiling/trace/peaks/SegmentFollower.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace headroom::store {

/// The state of an allocator's segments after any number of events of a stored track. Reads the track once, keeping
/// the state at the beginning of some of its event blocks, at most kMostBytes of them; any state then costs the few
/// event blocks after the one kept before it. On the thread of its file. Throws FileError.
class SegmentHistory {
public:
    static constexpr std::size_t kMostBytes = std::size_t{128} << 20;

    /// Nullopt if a stop was requested. `progress` is called with the share that was read.
    static std::optional<SegmentHistory> read(const TraceReader& reader, std::int64_t repeat, const std::string& track,
        const std::stop_token& stop, const std::function<void(double)>& progress = {},
        std::size_t mostBytes = kMostBytes);

    /// Of the whole track.
    std::uint64_t events() const { return m_events; }
    /// Of the states that are kept.
    std::size_t keptBytes() const;
    /// How many events have happened when reserved memory is at its peak and, of all those moments, first has the most
    /// of it allocated.
    std::uint64_t eventsAtReservedPeak() const { return m_reservedPeak.events; }
    /// Those after which a request failed, in order.
    const std::vector<std::uint64_t>& failures() const { return m_failures; }

    /// After `events` events, at most all of them.
    trace::SegmentState at(std::uint64_t events) const;
    /// How many events have happened at a time, those of that very time included.
    std::uint64_t eventsUntil(std::int64_t timeNs) const;
    /// The event after which `events` have happened; nothing for 0.
    std::optional<trace::AllocatorEvent> lastOf(std::uint64_t events) const;

private:
    struct StoredBlock {
        std::uint64_t firstEvent = 0;
        std::uint64_t count = 0;
        std::int64_t firstNs = 0;
        std::int64_t lastNs = 0;
        trace::MemoryCounters before;
    };
    struct ReservedPeak {
        Bytes bytes = -1;
        Bytes allocatedBytes = 0;
        std::uint64_t events = 0;
    };
    using Events = std::vector<trace::AllocatorEvent>;

    SegmentHistory(const TraceReader& reader, std::int64_t repeat, std::string track)
        : m_reader(reader)
        , m_repeat(repeat)
        , m_track(std::move(track))
    {
    }

    void keep(const trace::SegmentState& state, std::size_t mostBytes);
    std::size_t blockOf(std::uint64_t events) const;
    const Events& eventsOf(std::size_t block) const;

    TraceReader m_reader;
    std::int64_t m_repeat;
    std::string m_track;
    std::uint64_t m_events = 0;
    ReservedPeak m_reservedPeak;
    std::vector<std::uint64_t> m_failures;
    std::vector<StoredBlock> m_blocks;
    std::vector<trace::SegmentState> m_kept; ///< each at the beginning of an event block
    std::size_t m_everyBlock = 1; ///< of how many blocks one has its state kept
    mutable std::size_t m_decodedBlock = 0; ///< the one in m_decoded
    mutable Events m_decoded;
};

} // namespace headroom::store
