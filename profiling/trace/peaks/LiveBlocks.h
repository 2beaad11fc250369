// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/AllocatorEvent.h"
#include "profiling/trace/InnermostPhases.h"
#include "profiling/trace/MemoryCounters.h"
#include "profiling/trace/PhaseSpan.h"

#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace headroom::trace {

/// What is held of that which was allocated in one phase.
struct LiveShare {
    std::optional<PhaseSpan> phase; ///< the innermost; nothing for what was allocated outside of all
    Bytes bytes = 0;
    std::int64_t blocks = 0;

    bool operator==(const LiveShare&) const = default;
};

/// What memory consists of at one instant. `heldBefore` and the shares sum to `counters.allocated`.
struct LiveMemory {
    MemoryCounters counters;
    Bytes heldBefore = 0; ///< allocated before the trace began, and not given back since
    std::vector<LiveShare> shares; ///< in the order of the phases' begin, those that hold nothing left out

    bool operator==(const LiveMemory&) const = default;
};

/// Follows a trace block by block and knows which phase each live block comes from. Memory grows with the blocks alive.
class LiveBlocks {
public:
    LiveBlocks(const MemoryCounters& before, std::span<const PhaseSpan> phases);

    LiveBlocks(const LiveBlocks&) = delete;
    LiveBlocks& operator=(const LiveBlocks&) = delete;

    void apply(const AllocatorEvent& event);
    const MemoryCounters& counters() const { return m_counters; }
    LiveMemory memory() const;

private:
    MemoryCounters m_counters;
    Bytes m_heldBefore;
    InnermostPhases m_phases;
    std::vector<LiveShare> m_shares; ///< one a phase, and the last one for no phase
    std::unordered_map<std::uint64_t, LiveShare*> m_blocks; ///< by address
};

} // namespace headroom::trace
