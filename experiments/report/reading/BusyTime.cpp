// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/reading/BusyTime.h"

#include <algorithm>

namespace headroom::report {

BusyTime::BusyTime(const trace::Occupancy& occupancy, std::int64_t originNs)
    : m_stretchNs(std::int64_t{1} << occupancy.shift)
{
    m_firstNs = occupancy.firstNs - originNs;
    m_busyBeforeNs.resize(occupancy.busyNs.size() + 1);
    for (std::size_t i = 0; i < occupancy.busyNs.size(); ++i)
        m_busyBeforeNs[i + 1] = m_busyBeforeNs[i] + static_cast<std::int64_t>(occupancy.busyNs[i]);
}

void BusyTime::add(std::int64_t beginNs, std::int64_t endNs)
{
    if (endNs <= beginNs)
        return;
    // What goes on without a gap is one span: kernels of one stream mostly do.
    if (!m_spans.empty() && beginNs >= m_spans.back().beginNs && beginNs <= m_spans.back().endNs)
        m_spans.back().endNs = std::max(m_spans.back().endNs, endNs);
    else
        m_spans.push_back({beginNs, endNs});
}

void BusyTime::finish()
{
    std::ranges::sort(m_spans, {}, &BusySpan::beginNs);
    std::vector<BusySpan> apart;
    for (const BusySpan& span : m_spans) {
        if (!apart.empty() && span.beginNs <= apart.back().endNs)
            apart.back().endNs = std::max(apart.back().endNs, span.endNs);
        else
            apart.push_back(span);
    }
    std::int64_t busy = 0;
    for (BusySpan& span : apart) {
        span.busyBeforeNs = busy;
        busy += span.endNs - span.beginNs;
    }
    m_spans = std::move(apart);
}

// Busy evenly within each stretch.
double BusyTime::busyUntilInStretches(std::int64_t timeNs) const
{
    if (timeNs <= m_firstNs)
        return 0;
    const auto stretch = static_cast<std::size_t>((timeNs - m_firstNs) / m_stretchNs);
    if (stretch + 1 >= m_busyBeforeNs.size())
        return static_cast<double>(m_busyBeforeNs.back());
    const auto within = static_cast<double>((timeNs - m_firstNs) % m_stretchNs) / static_cast<double>(m_stretchNs);
    const auto inStretch = static_cast<double>(m_busyBeforeNs[stretch + 1] - m_busyBeforeNs[stretch]);
    return static_cast<double>(m_busyBeforeNs[stretch]) + within * inStretch;
}

double BusyTime::busyUntil(std::int64_t timeNs) const
{
    if (!m_busyBeforeNs.empty())
        return busyUntilInStretches(timeNs);
    const auto next = std::ranges::upper_bound(m_spans, timeNs, {}, &BusySpan::beginNs);
    if (next == m_spans.begin())
        return 0;
    const BusySpan& span = *std::prev(next);
    const std::int64_t within = std::min(timeNs, span.endNs) - span.beginNs;
    return static_cast<double>(span.busyBeforeNs + within);
}

double BusyTime::share(std::int64_t fromNs, std::int64_t toNs) const
{
    if (toNs <= fromNs)
        return 0;
    return (busyUntil(toNs) - busyUntil(fromNs)) / static_cast<double>(toNs - fromNs);
}

std::vector<figures::BusyBin> BusyTime::bins(const figures::TimeWindow& window, std::size_t count) const
{
    std::vector<figures::BusyBin> bins;
    const std::int64_t widthNs = widthOf(window, count);
    for (std::int64_t at = window.beginNs; at < window.endNs; at += widthNs)
        bins.push_back({at, share(at, std::min(at + widthNs, window.endNs))});
    return bins;
}

bool BusyTime::isFineEnoughFor(const figures::TimeWindow& window, std::size_t count) const
{
    return m_stretchNs <= widthOf(window, count);
}

std::int64_t BusyTime::widthOf(const figures::TimeWindow& window, std::size_t count)
{
    const auto most = std::max<std::int64_t>(static_cast<std::int64_t>(count), 1);
    return std::max<std::int64_t>((window.lengthNs() + most - 1) / most, 1);
}

} // namespace headroom::report
