// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "profiling/simulator/Stream.h"

#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

namespace headroom::simulator {

class BlockPool;
struct Block;

/// The best-fit order: stream, then size, then address. Kept by value, so that a search follows no pointers.
struct FitKey {
    Stream stream = kDefaultStream;
    Bytes bytes = 0;
    Address address = 0;
    Block* block = nullptr;

    bool operator<(const FitKey& other) const
    {
        return std::tie(stream, bytes, address) < std::tie(other.stream, other.bytes, other.address);
    }
};

using FitOrder = std::set<FitKey>;

/// The virtual address range of an expandable segment.
struct ExpandableRange {
    Address begin = 0;
    Bytes bytes = 0;
    Bytes pageBytes = 0;
};

/// A part of a segment: allocated, waiting for streams, cached, or (expandable segments) without physical memory.
struct Block {
    Address address = 0;
    Bytes bytes = 0;
    Bytes requestedBytes = 0;
    Stream stream = kDefaultStream;
    BlockPool* pool = nullptr; ///< null: the record is not in use
    Block* previous = nullptr; ///< neighbours in the same segment
    Block* next = nullptr;
    ExpandableRange* range = nullptr; ///< null for a plain segment
    FitOrder::iterator position; ///< in the pool, while cached
    std::int64_t cachedAtSearch = 0; ///< the pool's search count when it was cached
    int pendingEvents = 0;
    bool isAllocated = false;
    bool isMapped = true;
    std::vector<Stream> streamUses; ///< other streams that use it

    bool isSplit() const { return previous || next; }
    bool isFree() const { return !isAllocated && pendingEvents == 0 && streamUses.empty(); }
    Address end() const { return address + static_cast<Address>(bytes); }
};

} // namespace headroom::simulator
