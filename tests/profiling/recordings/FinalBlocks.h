// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/recordings/Recording.h"
#include "profiling/simulator/AllocatorSnapshot.h"

#include <filesystem>
#include <iosfwd>
#include <vector>

namespace headroom::recordings {

/// A block in use when a recording ended, or one that a stream still used.
struct FinalBlock {
    Address address = 0;
    Bytes bytes = 0;
    Bytes requestedBytes = 0;
    bool isAllocated = true; ///< false: given back, a stream still uses it

    bool operator==(const FinalBlock&) const = default;
};
std::ostream& operator<<(std::ostream& stream, const FinalBlock& block);

/// What the segments of a snapshot file say of one device, in order of address: read straight from the pickle, without
/// the reader that is tested.
std::vector<FinalBlock> finalBlocksOfFile(const std::filesystem::path& path, int device);

/// The same of a simulated allocator.
std::vector<FinalBlock> finalBlocksOf(const simulator::AllocatorSnapshot& snapshot);

} // namespace headroom::recordings
