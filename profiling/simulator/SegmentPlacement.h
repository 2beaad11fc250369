// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/config/SegmentAddresses.h"
#include "profiling/simulator/Stream.h"

#include <map>
#include <optional>

namespace headroom::simulator {

/// Where a driver puts segments, as recordings of real devices show it.
///
/// Linux: chunks of whole 32 MiB, each at the top of the highest hole that it fits into, so that they go downward. A
/// segment first goes into the lowest gap of a chunk that holds something (the tail behind a segment of 44 MiB, the
/// place of one that was returned); a chunk is gone when nothing is left in it. Ascending: each above all before it,
/// and no address twice.
class SegmentPlacement {
public:
    explicit SegmentPlacement(config::SegmentAddresses order);

    Address place(Bytes bytes);
    /// A segment that lies where something else has put it, such as a recording.
    void adopt(Address address, Bytes bytes);
    void giveBack(Address address);

private:
    struct Chunk {
        Bytes bytes = 0;
        Bytes freeBytes = 0;
        std::map<Address, Bytes> segments;
    };

    std::optional<Address> placeInGap(Bytes bytes);
    Address placeInNewChunk(Bytes bytes);
    Address topOfHole(Bytes bytes) const;
    Chunk& chunkAround(Address begin, Address end);

    config::SegmentAddresses m_order;
    Address m_nextAddress; ///< ascending
    Address m_top = 0; ///< of what chunks may take; 0: nothing was put anywhere
    std::map<Address, Chunk> m_chunks;
};

} // namespace headroom::simulator
