// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/comparison/DifferenceOverTime.h"
#include "profiling/trace/InnermostPhases.h"

#include <map>
#include <string>
#include <vector>

namespace headroom::experiments {

/// One of two runs that are laid over each other: where it has a trace, and what it has allocated just now.
struct FoldedSide {
    figures::TimeWindow window; ///< common time
    Bytes bytes = 0;

    bool covers(std::int64_t ns) const { return ns >= window.beginNs && ns < window.endNs; }
};

/// Sums the difference of two curves up, from change to change.
class DifferenceFold {
public:
    /// `ownOfB` maps common time to b's; phases are those of a.
    DifferenceFold(const figures::TimeWindow& a, const figures::TimeWindow& b, const figures::SharedTime& ownOfB,
        std::vector<trace::PhaseSpan> phases, std::size_t stretches);

    /// Both keep what they have until `ns`; times must ascend.
    void advance(std::int64_t ns);
    void setA(const CurvePoint& point) { set(m_a, point, &DifferenceStretch::a); }
    void setB(const CurvePoint& point) { set(m_b, point, &DifferenceStretch::b); }
    const figures::TimeWindow& window() const { return m_window; }
    /// Where something else begins than a change: at each of these advance() must stop.
    std::vector<std::int64_t> boundaries() const;
    void moveInto(DifferenceOverTime& result);

private:
    void set(FoldedSide& side, const CurvePoint& point, std::optional<figures::MemoryBin> DifferenceStretch::* of);
    void addPiece(std::int64_t endNs);
    void addDifference(std::int64_t lengthNs);
    std::size_t stretchAt(std::int64_t ns) const;
    DifferencePart& partAt(std::int64_t ns);

    FoldedSide m_a;
    FoldedSide m_b;
    figures::TimeWindow m_window; ///< of either
    figures::TimeWindow m_shared; ///< of both
    const figures::SharedTime& m_time;
    std::vector<trace::PhaseSpan> m_phases;
    trace::InnermostPhases m_innermost;
    std::map<std::string, std::size_t> m_partOf;
    DifferencePart m_whole;
    std::vector<DifferencePart> m_parts;
    std::vector<DifferenceStretch> m_stretches;
    std::int64_t m_nowNs = 0;
    std::int64_t m_aboveNs = 0;
    std::int64_t m_belowNs = 0;
};

} // namespace headroom::experiments
