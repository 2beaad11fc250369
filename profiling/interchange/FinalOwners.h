// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/AllocatorEvent.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <unordered_map>
#include <vector>

namespace headroom::interchange {

/// The final owner of each block: the last one that it is given. Formats that state the owner once, at the allocation,
/// need it beforehand; so a trace is read once for this and once more for the export. Takes four bytes for each
/// allocation up to the last one that is ever relabelled, and nothing if none is.
class FinalOwners {
public:
    /// First pass: every event in order.
    void learn(const trace::AllocatorEvent& event);

    /// Second pass: the final owner of the next Alloc event; nullopt if it keeps its first owner.
    std::optional<trace::OwnerId> next();

    std::int64_t relabelled() const { return m_relabelled; } ///< events

private:
    static constexpr trace::OwnerId kKept = std::numeric_limits<trace::OwnerId>::max();

    std::unordered_map<std::uint64_t, std::size_t> m_live; ///< ordinal of the Alloc event by address
    std::vector<trace::OwnerId> m_owners; ///< by ordinal
    std::size_t m_allocations = 0;
    std::size_t m_next = 0;
    std::int64_t m_relabelled = 0;
};

} // namespace headroom::interchange
