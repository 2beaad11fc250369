// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/memory/TimeAxis.h"
#include "profiling/trace/PhaseSpan.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace headroom::figures {

/// How the times of several trials become one.
enum class Alignment {
    Start, ///< the beginnings of the traces
    Phase, ///< the last phases of a name
    Stretched, ///< every phase begins and ends together: as long as in the first trial
    Steps, ///< the same for whole steps, whatever phases they have
    Share, ///< the same shares of the whole traces, which are as long as the first one
};

/// Maps the times of one trial to those of the first, straight from knot to knot and with the same pace beyond them.
class SharedTime {
public:
    /// Moves all times by `shiftNs`.
    explicit SharedTime(std::int64_t shiftNs = 0)
        : m_knots{{0, shiftNs}}
    {
    }
    /// The knots' own and common times ascend.
    explicit SharedTime(std::vector<std::pair<std::int64_t, std::int64_t>> knots);

    std::int64_t of(std::int64_t ownNs) const;
    std::int64_t own(std::int64_t commonNs) const;
    TimeWindow of(const TimeWindow& own) const { return {of(own.beginNs), of(own.endNs)}; }
    TimeWindow own(const TimeWindow& common) const { return {own(common.beginNs), own(common.endNs)}; }

private:
    std::vector<std::pair<std::int64_t, std::int64_t>> m_knots; ///< own and common time
};

/// Alignment::Share of traces of these lengths.
SharedTime sharedByLength(std::int64_t lengthNs, std::int64_t firstNs);

/// Not for Alignment::Share. nullopt if the alignment is not possible: the trials' phases, or steps, differ in names or
/// number, or one has no such phase.
std::optional<SharedTime> sharedTime(std::span<const trace::PhaseSpan> phases, std::span<const trace::PhaseSpan> first,
    Alignment alignment, const std::string& phase = {});

} // namespace headroom::figures
