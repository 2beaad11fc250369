// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/AllocatorEvent.h"
#include "profiling/trace/CategoryBytes.h"
#include "profiling/trace/InnermostPhases.h"
#include "profiling/trace/MemoryCounters.h"

#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace headroom::trace {

/// The live memory of one owner that was allocated in one phase.
struct Holding {
    enum class Birth { InPhase, OutsideOfPhases, BeforeTrace };

    OwnerId owner = kUnknownOwner;
    Birth birth = Birth::OutsideOfPhases;
    std::optional<PhaseSpan> phase{}; ///< the innermost at the time of allocation; only of Birth::InPhase
    Bytes bytes = 0;
    std::int64_t blocks = 0; ///< without blocks from before the trace that have no known owner

    bool operator==(const Holding&) const = default;
};

/// The contents of memory at one instant. The parts sum to `counters.allocated`.
struct Holdings {
    std::int64_t timeNs = 0; ///< of the last event that counts
    MemoryCounters counters;
    std::vector<Holding> parts; ///< in the order of their first allocation, without those that hold nothing

    bool operator==(const Holdings&) const = default;
};

/// The parts by category; sums to `counters.allocated`.
CategoryBytes categoriesOf(const Holdings& holdings, const OwnerTable& owners);

/// Follows a trace block by block and records the owner and the allocation phase of each live block. Memory grows with
/// the number of live blocks. Memory from before the trace has no known owner until an event names it.
class LiveHoldings {
public:
    LiveHoldings(const MemoryCounters& before, std::span<const PhaseSpan> phases);

    void apply(const AllocatorEvent& event);
    /// Sets the counters to values known from elsewhere, after lost events: the difference has no known owner.
    void settle(const MemoryCounters& counters);
    const MemoryCounters& counters() const { return m_counters; }
    Holdings holdings() const;

private:
    std::size_t partOf(OwnerId owner, std::size_t birth);
    void move(Bytes bytes, std::size_t from, std::size_t to);
    void allocate(const AllocatorEvent& event);
    void free(const AllocatorEvent& event);
    void relabel(const AllocatorEvent& event);
    Holding holdingOf(OwnerId owner, std::size_t birth) const;

    InnermostPhases m_phases;
    MemoryCounters m_counters;
    std::int64_t m_timeNs = 0;
    std::vector<Holding> m_parts; ///< the first one: from before the trace, of nobody
    std::vector<std::size_t> m_births; ///< of each part: place of its phase, behind them outside and before
    std::unordered_map<std::uint64_t, std::size_t> m_partOf; ///< by owner and birth
    std::unordered_map<std::uint64_t, std::size_t> m_blocks; ///< part by address
};

} // namespace headroom::trace
