// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/traces/TraceReader.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace headroom::store {

/// The state of an allocator's segments after any number of events of a stored track: the stored state before them, and
/// the few event blocks from there on. Where a track has no stored states (files of before), reads it once and keeps
/// some in memory. On the thread of its file. Throws FileError.
class SegmentHistory {
public:
    static constexpr std::size_t kMostBytes = std::size_t{128} << 20;

    /// Nullopt if a stop was requested. `progress` is called with the share that was read, where all of it has to be;
    /// at most `mostBytes` of states are then kept.
    static std::optional<SegmentHistory> read(const TraceReader& reader, std::int64_t repeat, const std::string& track,
        const std::stop_token& stop, const std::function<void(double)>& progress = {},
        std::size_t mostBytes = kMostBytes);

    /// Of the whole track.
    std::uint64_t events() const { return m_events; }
    /// Of the states that are in memory.
    std::size_t keptBytes() const { return m_keptBytes; }
    /// How many events have happened when reserved memory is at its peak and, of all those moments, first has the most
    /// of it allocated.
    std::uint64_t eventsAtReservedPeak() const { return m_peak.events; }
    /// Those after which a request failed, in order.
    const std::vector<std::uint64_t>& failures() const { return m_failures; }

    /// After `events` events, at most all of them.
    trace::SegmentState at(std::uint64_t events) const;
    /// How many events have happened at a time, those of that very time included.
    std::uint64_t eventsUntil(std::int64_t timeNs) const;
    /// The event after which `events` have happened; nothing for 0.
    std::optional<trace::AllocatorEvent> lastOf(std::uint64_t events) const;

private:
    /// A moment from which later ones are followed.
    struct Start {
        std::int64_t ordinal = 0; ///< of the event block that is next
        std::uint64_t events = 0;
        std::vector<std::byte> state{}; ///< empty: it is stored
    };

    explicit SegmentHistory(StretchReader reader);

    void take(const std::vector<trace::SegmentStretch>& stretches);
    void keep(trace::SegmentStretch stretch, std::size_t mostBytes);
    trace::SegmentState stateOf(const Start& start) const;
    std::size_t blockOf(std::uint64_t events) const;
    const StoredEvents& eventsOf(std::size_t block) const;

    StretchReader m_reader;
    std::uint64_t m_events = 0;
    std::vector<BlockPlace> m_blocks;
    trace::ReservedPeak m_peak;
    std::vector<std::uint64_t> m_failures;
    std::vector<Start> m_starts; ///< in order
    std::size_t m_keptBytes = 0;
    std::size_t m_everyStretch = 1; ///< of how many one has its state kept
    std::size_t m_stretches = 0; ///< that were read
    mutable std::size_t m_decodedBlock = 0; ///< the one in m_decoded
    mutable StoredEvents m_decoded;
};

} // namespace headroom::store
