// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/AllocatorEvent.h"
#include "profiling/trace/CategoryBytes.h"
#include "profiling/trace/MemoryCounters.h"

#include <cstddef>
#include <span>
#include <vector>

namespace headroom::trace {

/// What is known about a block of events without decoding it.
struct EventBlockHeader {
    std::uint32_t count = 0;
    std::int64_t firstNs = 0; ///< smallest time in the block
    std::int64_t lastNs = 0; ///< largest time in the block
    MemoryCounters before; ///< counters before the first event: a block can be read without those before it
    MemoryCounters min; ///< smallest value of each counter, `before` included
    MemoryCounters max;
    /// The categories of `before.allocated`; in a block without owners all of it is Unknown.
    CategoryBytes categoriesBefore;

    bool operator==(const EventBlockHeader&) const = default;
};

inline constexpr std::size_t kMaxBlockEvents = 65'536;

/// Encodes 1 to kMaxBlockEvents events as columns of deltas (byte layout: docs/database.md). Any values round-trip.
/// Throws UsageError for another number of events, and for categories that do not sum to `before.allocated`.
std::vector<std::byte> encodeEventBlock(
    std::span<const AllocatorEvent> events, const MemoryCounters& before, const CategoryBytes& categoriesBefore);
/// The same if the owner of everything allocated before the first event is unknown.
std::vector<std::byte> encodeEventBlock(std::span<const AllocatorEvent> events, const MemoryCounters& before);

/// Checks form, lengths and checksum of a block, without decoding its columns, and returns its header. Blocks of every
/// version can be read; those of version 1 have no owners. Throws MalformedBlock.
EventBlockHeader verifyEventBlock(std::span<const std::byte> block);

/// The header of a block that encodeEventBlock has just made or verifyEventBlock has accepted: the checksum is not
/// verified again. Throws MalformedBlock if the bytes do not have the form of a header.
EventBlockHeader readEventBlockHeader(std::span<const std::byte> block);

/// All events of a block. Throws MalformedBlock for anything that encodeEventBlock would not have written; never reads
/// outside the block and never allocates more than kMaxBlockEvents events.
std::vector<AllocatorEvent> decodeEventBlock(std::span<const std::byte> block);

} // namespace headroom::trace
