// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/EventBlock.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace headroom::trace {

// The frame of a block: header, lengths of the columns, checksum. EventBlock.cpp defines the contents of the columns.

/// The columns of version 2; version 1 has the first six.
enum class EventColumn : std::size_t { Tag, Time, Address, Size, Requested, Stream, Owner, PreviousOwner };

inline constexpr std::size_t kEventColumns = 8;
using EventColumns = std::array<std::span<const std::byte>, kEventColumns>;

/// One tag byte per event: the action, and which of the rarely changing columns have a value for it.
struct EventTag {
    unsigned actionMask;
    unsigned streamChanged;
    unsigned requestedDiffers;
    unsigned ownerChanged;
    unsigned hasPreviousOwner;
    unsigned lastAction;
};

inline constexpr EventTag kTagOfVersion1{0x07, 0x08, 0x10, 0, 0, 7};
inline constexpr EventTag kTagOfVersion2{0x0F, 0x10, 0x20, 0x40, 0x80, 8};

/// A block of the newest version.
std::vector<std::byte> frameEventBlock(const EventBlockHeader& header, const EventColumns& columns);

/// Throws MalformedBlock if the bytes do not have the form of a block of a known version, or if the checksum is wrong.
void verifyEventBlockForm(std::span<const std::byte> block);
void verifyEventBlockChecksum(std::span<const std::byte> block);

// For bytes whose form was verified:
std::uint16_t eventBlockVersion(std::span<const std::byte> block);
EventBlockHeader eventBlockHeader(std::span<const std::byte> block);
/// Throws MalformedBlock if the columns do not fill the block.
EventColumns eventBlockColumns(std::span<const std::byte> block);

} // namespace headroom::trace
