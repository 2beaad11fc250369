// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/memory/OccupancyFigure.h"
#include "profiling/trace/Occupancy.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace headroom::report {

/// When something was busy, of spans that may overlap. What a window costs depends on its bins, not on the spans.
class BusyTime {
public:
    BusyTime() = default;
    /// Of equal stretches of time, on an axis that begins at `originNs`: busy evenly within each.
    BusyTime(const trace::Occupancy& occupancy, std::int64_t originNs);

    /// In any order; the same span may be added twice. Spans without a length are passed over.
    void add(std::int64_t beginNs, std::int64_t endNs);
    /// After the last span, before the first question.
    void finish();

    bool isEmpty() const { return m_spans.empty() && (m_busyBeforeNs.empty() || m_busyBeforeNs.back() == 0); }
    /// The share of [fromNs, toNs) that was busy.
    double share(std::int64_t fromNs, std::int64_t toNs) const;
    std::vector<figures::BusyBin> bins(const figures::TimeWindow& window, std::size_t count) const;
    /// Whether the bins are no shorter than what is known: else the spans themselves tell more.
    bool isFineEnoughFor(const figures::TimeWindow& window, std::size_t count) const;

private:
    struct BusySpan {
        std::int64_t beginNs = 0;
        std::int64_t endNs = 0;
        std::int64_t busyBeforeNs = 0; ///< in all spans before this one
    };

    double busyUntil(std::int64_t timeNs) const;
    double busyUntilInStretches(std::int64_t timeNs) const;
    static std::int64_t widthOf(const figures::TimeWindow& window, std::size_t count);

    std::vector<BusySpan> m_spans; ///< apart from each other, by time, once finished
    /// Of equal stretches instead of spans: how busy it was before each, and in all. As many as half a million are read
    /// where a trace is opened.
    std::vector<std::int64_t> m_busyBeforeNs;
    std::int64_t m_firstNs = 0;
    std::int64_t m_stretchNs = 0; ///< 0: the spans are exact
};

} // namespace headroom::report
