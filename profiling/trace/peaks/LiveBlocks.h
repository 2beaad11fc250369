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

/// The live memory that was allocated in one phase.
struct LiveShare {
    std::optional<PhaseSpan> phase; ///< the innermost; nullopt for memory that was allocated outside all phases
    Bytes bytes = 0;
    std::int64_t blocks = 0;

    bool operator==(const LiveShare&) const = default;
};

/// The contents of memory at one instant. `heldBefore` and the shares sum to `counters.allocated`.
struct LiveMemory {
    MemoryCounters counters;
    Bytes heldBefore = 0; ///< allocated before the trace began and not freed since
    std::vector<LiveShare> shares; ///< in the order of the phases' begin, without those that hold nothing

    bool operator==(const LiveMemory&) const = default;
};

/// Follows a trace block by block and records the phase of each live block. Memory grows with the number of live
/// blocks.
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
