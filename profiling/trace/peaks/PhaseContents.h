// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/CategoryCounters.h"
#include "profiling/trace/EventBlock.h"
#include "profiling/trace/Peak.h"
#include "profiling/trace/PhaseSpan.h"

#include <span>
#include <vector>

namespace headroom::trace {

/// The peak of allocated memory in one phase, when it was first reached, and its contents. Memory held when the phase
/// began counts, and so do owners that become known right after the peak, before the next allocation or free.
struct PhaseContent {
    PhaseSpan phase;
    Peak allocated;
    CategoryBytes categories;

    bool operator==(const PhaseContent&) const = default;
};

/// Finds the peaks of all phases in one pass over a trace, block by block. Only few phases may be open at a time.
class PhaseContents {
public:
    /// `phases` are borrowed.
    PhaseContents(std::span<const PhaseSpan> phases, const OwnerTable& owners);

    /// Processes the next block of the trace; its header has the counters before it.
    void visit(const EventBlockHeader& header, std::span<const AllocatorEvent> events);
    /// In the order of the phases. Must be the last call.
    std::vector<PhaseContent> take();

private:
    void moveTo(std::int64_t timeNs);
    void look(std::size_t phase, std::int64_t timeNs);

    std::span<const PhaseSpan> m_phases;
    OwnerCategories m_owners;
    CategoryCounters m_now;
    std::vector<PhaseContent> m_contents;
    std::vector<std::size_t> m_byBegin;
    std::vector<std::size_t> m_open;
    std::size_t m_next = 0;
    std::vector<std::uint64_t> m_reachedAt; ///< number of moves at which the peak of each phase was reached
    std::uint64_t m_moves = 0; ///< blocks that came or went
};

} // namespace headroom::trace
