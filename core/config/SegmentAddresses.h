// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace headroom::config {

/// Where a driver places the segments that an allocator requests. Among free blocks of one size PyTorch takes the one
/// with the lowest address, so the order of segments decides which blocks are reused, and which segments are entirely
/// free when the cache is flushed. It is a property of the platform, not of the card.
enum class SegmentAddresses {
    Linux, ///< native Linux: downward, in chunks of whole 32 MiB whose gaps are filled first
    Ascending, ///< WSL2, Windows, Linux in a sandbox (gVisor): upward
};

/// "linux", "ascending", in the order of the enumeration.
const std::vector<std::string>& segmentAddressesWords();
const std::string& toText(SegmentAddresses addresses);
/// Throws UsageError at `where` for another word.
SegmentAddresses segmentAddressesFromText(const std::string& text, const std::string& where);

/// The other of the two orders.
SegmentAddresses otherThan(SegmentAddresses addresses);

} // namespace headroom::config
