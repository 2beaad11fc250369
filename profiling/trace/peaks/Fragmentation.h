// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/peaks/SegmentState.h"

#include <cstdint>
#include <optional>

namespace headroom::trace {

/// Memory that a caching allocator has reserved but that nobody uses. `reservedBytes` - `allocatedBytes` =
/// `pendingBytes` + `releasableBytes` + `splitBytes`.
struct Fragmentation {
    Bytes reservedBytes = 0;
    Bytes allocatedBytes = 0;
    Bytes pendingBytes = 0; ///< freed, but a stream still uses it
    // From segments and blocks; nullopt where the trace does not show all of them (they existed before it began).
    std::optional<Bytes> releasableBytes{}; ///< segments without any block: emptying the cache returns them
    std::optional<Bytes> splitBytes{}; ///< inactive split blocks: free parts of segments that are in use
    std::optional<Bytes> largestHoleBytes{}; ///< the largest free range within one segment; a free segment counts too
    std::optional<std::int64_t> holes{};
    std::optional<std::int64_t> segments{};
    std::optional<Bytes> slackBytes{}; ///< of the allocated bytes: not asked for, but in the blocks that were given

    Bytes unusedBytes() const { return reservedBytes - allocatedBytes; }

    bool operator==(const Fragmentation&) const = default;
};

Fragmentation fragmentationOf(const SegmentState& state);

} // namespace headroom::trace
