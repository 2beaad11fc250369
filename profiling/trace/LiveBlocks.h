// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/AllocatorEvent.h"
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
    /// From `beginNs` on, until the next one's begin, this share's phase is the innermost.
    struct Stretch {
        std::int64_t beginNs = 0;
        std::size_t share = 0;
    };

    std::size_t shareAt(std::int64_t timeNs);

    MemoryCounters m_counters;
    Bytes m_heldBefore;
    std::vector<LiveShare> m_shares; ///< one a phase, and the last one for no phase
    std::vector<Stretch> m_stretches;
    std::size_t m_stretch = 0; ///< of the last event: the next one is mostly in the same
    std::unordered_map<std::uint64_t, LiveShare*> m_blocks; ///< by address
};

} // namespace headroom::trace
