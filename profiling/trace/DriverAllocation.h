// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"

#include <cstdint>
#include <limits>
#include <string>

namespace headroom::trace {

/// Memory that the driver gave out, from its allocation to its end.
struct DriverAllocation {
    static constexpr std::int64_t kBeforeCapture = std::numeric_limits<std::int64_t>::min();
    static constexpr std::int64_t kStillThere = std::numeric_limits<std::int64_t>::max();

    std::int64_t beginNs = 0; ///< kBeforeCapture: only its release was seen
    std::int64_t endNs = kStillThere;
    std::uint64_t address = 0; ///< of virtual memory: where it was mapped first; 0: nowhere
    Bytes bytes = 0;
    std::string source{}; ///< shared object that asked for it; empty: not recorded
    bool isTorchs = false; ///< a segment of the caching allocator is its partner

    bool isThereAt(std::int64_t timeNs) const { return beginNs <= timeNs && timeNs < endNs; }

    bool operator==(const DriverAllocation&) const = default;
};

} // namespace headroom::trace
