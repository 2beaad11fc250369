// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Quantities.h"

#include <cstdint>
#include <string>

namespace headroom::figures {

/// A stretch of a trace; `endNs` is exclusive.
struct TimeWindow {
    std::int64_t beginNs = 0; ///< since the start of the trace
    std::int64_t endNs = 0;

    std::int64_t lengthNs() const { return endNs - beginNs; }
    bool operator==(const TimeWindow&) const = default;
};

/// How the time axis over a window counts: in the unit that suits the window's length, from the start of the trace, or
/// from a round time shortly before the window where the numbers would become too long to be told apart.
class TimeAxis {
public:
    explicit TimeAxis(const TimeWindow& window);

    double of(std::int64_t ns) const { return m_unit.of(ns - m_originNs); }
    /// The nearest nanosecond.
    std::int64_t nsOf(double value) const;
    /// "Time (ms)", "Time after 2.34 s (µs)".
    std::string label() const;

private:
    TimeUnit m_unit;
    std::int64_t m_originNs = 0;
};

} // namespace headroom::figures
