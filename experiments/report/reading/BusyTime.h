// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/memory/OccupancyFigure.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace headroom::report {

/// When something was busy, of spans that may overlap. What a window costs depends on its bins, not on the spans.
class BusyTime {
public:
    /// In any order; the same span may be added twice. Spans without a length are passed over.
    void add(std::int64_t beginNs, std::int64_t endNs);
    /// After the last span, before the first question.
    void finish();

    bool isEmpty() const { return m_spans.empty(); }
    /// The share of [fromNs, toNs) that was busy.
    double share(std::int64_t fromNs, std::int64_t toNs) const;
    std::vector<figures::BusyBin> bins(const figures::TimeWindow& window, std::size_t count) const;

private:
    struct Span {
        std::int64_t beginNs = 0;
        std::int64_t endNs = 0;
        std::int64_t busyBeforeNs = 0; ///< in all spans before this one
    };

    std::int64_t busyUntil(std::int64_t timeNs) const;

    std::vector<Span> m_spans; ///< apart from each other, by time, once finished
};

} // namespace headroom::report
