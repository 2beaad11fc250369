// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/memory/TimeAxis.h"

#include <fmt/format.h>

#include <cmath>

namespace headroom::figures {
namespace {

constexpr std::int64_t kLongestNumber = 1'000'000; ///< units of the axis: beyond, ticks count from an origin
constexpr std::int64_t kOriginStep = 1'000; ///< units of the axis: origins are whole numbers of the next unit

// 2340 ms are "2.34 s", exactly.
std::string originText(std::int64_t ns)
{
    return fmt::format("{} s", static_cast<double>(ns) / 1e9);
}

} // namespace

TimeAxis::TimeAxis(const TimeWindow& window)
    : m_unit(timeUnitFor(window.lengthNs()))
{
    const std::int64_t step = kOriginStep * m_unit.nanoseconds;
    if (window.endNs / m_unit.nanoseconds >= kLongestNumber)
        m_originNs = window.beginNs / step * step;
}

std::int64_t TimeAxis::nsOf(double value) const
{
    return m_originNs + std::llround(value * static_cast<double>(m_unit.nanoseconds));
}

std::string TimeAxis::label() const
{
    return m_originNs == 0 ? fmt::format("Time ({})", m_unit.name)
                           : fmt::format("Time after {} ({})", originText(m_originNs), m_unit.name);
}

} // namespace headroom::figures
