// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace headroom::config {

/// Where a driver puts the segments that an allocator asks it for. Of free blocks of one size PyTorch takes the one
/// with the lowest address, so that the order of segments decides which blocks are used again, and which segments are
/// whole when a cache is flushed. It is a property of the platform, not of the card.
enum class SegmentAddresses {
    Linux, ///< native Linux: downward, in chunks of whole 32 MiB whose gaps are filled first
    Ascending, ///< WSL2, Windows, Linux in a sandbox (gVisor): upward
};

/// "linux", "ascending", in the order of the enumeration.
const std::vector<std::string>& segmentAddressesWords();
const std::string& toText(SegmentAddresses addresses);
/// Throws UsageError at `where` for another word.
SegmentAddresses segmentAddressesFromText(const std::string& text, const std::string& where);

/// The order that is not this one.
SegmentAddresses otherThan(SegmentAddresses addresses);

} // namespace headroom::config
