// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/simulator/CachingAllocator.h"
#include "tests/profiling/recordings/Recording.h"

#include <set>
#include <unordered_map>

namespace headroom::recordings {

/// How a simulated allocator served the requests of a recording.
struct ReplayOutcome {
    int allocations = 0;
    int atRecordedAddress = 0;
    int flushes = 0;
    int flushesOfTheRecordedSet = 0; ///< segments of the same sizes went back to the device
    Bytes peakReservedBytes = 0;
};

/// Feeds a recording's requests to the simulated allocator, from the state before its first event on. A run of segments
/// that were freed is a flush of the cache there.
class Replay {
public:
    /// Where new segments lie is up to `order`, or, without one, as recorded.
    Replay(const Recording& recording, std::optional<config::SegmentAddresses> order);

    ReplayOutcome run();

private:
    void restore();
    void layOut(const RecordedSegment& segment);
    std::vector<Address> hold(const RecordedSegment& segment);
    void allocate(const RecordedEvent& event);
    void flush(const std::multiset<Bytes>& recorded);

    const Recording& m_recording;
    bool m_isDictated;
    simulator::CachingAllocator m_allocator;
    std::unordered_map<Address, Address> m_simulated; ///< of recorded live blocks
    std::vector<Address> m_gaps; ///< blocks that stand for free ones until all is laid out
    std::multiset<Bytes> m_freedSegments;
    ReplayOutcome m_outcome;
};

} // namespace headroom::recordings
