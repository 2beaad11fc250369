// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/peaks/SegmentFollower.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace headroom::trace {

/// When reserved memory is at its peak and, of all those moments, first has the most of it allocated.
struct ReservedPeak {
    Bytes bytes = -1; ///< reserved; -1: of no events
    Bytes allocatedBytes = 0;
    std::uint64_t events = 0; ///< that have happened by then

    /// Takes the other one, which comes later, if it is higher.
    void raise(const ReservedPeak& later);
    bool operator==(const ReservedPeak&) const = default;
};

/// Consecutive events of a trace, with the state before them: any state among them costs no more than these events.
struct SegmentStretch {
    std::int64_t ordinal = 0; ///< of the event block that is its first
    std::uint64_t firstEvent = 0; ///< how many events come before
    std::uint64_t events = 0;
    ReservedPeak peak{}; ///< after one of its events
    std::vector<std::uint64_t> failures{}; ///< how many events have happened when a request has failed, in order
    std::vector<std::byte> state{}; ///< before its first event, encoded

    /// Adds the stretch that follows, without its state.
    void join(const SegmentStretch& next);
    bool operator==(const SegmentStretch&) const = default;
};

/// Divides a trace into stretches while its events arrive in blocks. A stretch is the longer, the more its state holds,
/// so that all states together stay a fraction of the trace.
class SegmentStretches {
public:
    /// Tracks with up to this many events need none.
    static constexpr std::size_t kFewestEvents = 16'384;

    explicit SegmentStretches(const MemoryCounters& before, std::size_t fewestEvents = kFewestEvents);

    /// Before a block's events: after lost ones, the counters continue from those before it.
    void beginBlock(std::int64_t ordinal, const MemoryCounters& before);
    void append(const AllocatorEvent& event);
    /// After a block's events: the stretch that ends here, if it is long enough.
    std::optional<SegmentStretch> endBlock();
    /// The last stretch; nothing where there is none since the last end. Must be the last call.
    std::optional<SegmentStretch> finish();

private:
    void begin(std::int64_t ordinal);
    SegmentStretch take();

    std::size_t m_fewestEvents;
    SegmentFollower m_follower;
    std::optional<SegmentStretch> m_current;
    std::size_t m_heldBlocks = 0; ///< in its state
};

/// How the numbers of failures are kept: for each a varint, the difference to the one before (the first: to
/// `firstEvent`).
std::vector<std::byte> encodeFailures(const SegmentStretch& stretch);
/// Into `stretch.failures`. Throws MalformedBlock for any that does not lie in the stretch.
void decodeFailures(std::span<const std::byte> data, SegmentStretch& stretch);

} // namespace headroom::trace
