// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/config/SegmentAddresses.h"
#include "profiling/simulator/Stream.h"

#include <map>
#include <optional>
#include <set>

namespace headroom::simulator {

/// Where a driver places segments, as observed in recordings of real devices.
///
/// Linux: chunks of whole 32 MiB, each at the top of the highest hole that it fits into, so that they grow downward. A
/// segment goes first into the lowest gap of a chunk in use (the tail behind a segment of 44 MiB, the place of a
/// returned segment); a chunk disappears when nothing is left in it. Ascending: each segment lies above all earlier
/// ones, and no address is used twice. What a search found to be full is remembered, so that many segments cost about
/// as much each as few.
class SegmentPlacement {
public:
    explicit SegmentPlacement(config::SegmentAddresses order);

    Address place(Bytes bytes);
    /// Registers a segment whose address was chosen elsewhere, for example in a recording.
    void adopt(Address address, Bytes bytes);
    void giveBack(Address address);

private:
    struct Chunk {
        Bytes bytes = 0;
        Bytes freeBytes = 0;
        std::map<Address, Bytes> segments;
        Bytes mostGap = 0; ///< no gap is larger
    };

    using Chunks = std::map<Address, Chunk>;

    std::optional<Address> placeInGap(Bytes bytes);
    Address placeInNewChunk(Bytes bytes);
    Address topOfHole(Bytes bytes);
    Chunks::iterator chunkAround(Address begin, Address end);
    std::optional<Address> lowestWithGap(Bytes bytes) const;
    void setGap(Address begin, Chunk& chunk, Bytes most);
    Chunks::iterator erase(Chunks::iterator chunk);
    void raiseTop(Address end);

    config::SegmentAddresses m_order;
    Address m_nextAddress; ///< ascending
    Address m_top = 0; ///< of what chunks may take; 0: nothing was put anywhere
    Chunks m_chunks;
    std::map<Bytes, std::set<Address>> m_chunksByGap; ///< by mostGap, those that have any
    std::map<Bytes, Address> m_filledFrom; ///< no hole of so many bytes above this address; the larger, the lower
};

} // namespace headroom::simulator
