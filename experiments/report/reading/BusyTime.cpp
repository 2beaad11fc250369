// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/reading/BusyTime.h"

#include <algorithm>

namespace headroom::report {

void BusyTime::add(std::int64_t beginNs, std::int64_t endNs)
{
    if (endNs <= beginNs)
        return;
    // What goes on without a gap is one span: kernels of one stream mostly do.
    if (!m_spans.empty() && beginNs >= m_spans.back().beginNs && beginNs <= m_spans.back().endNs)
        m_spans.back().endNs = std::max(m_spans.back().endNs, endNs);
    else
        m_spans.push_back({beginNs, endNs, 0});
}

void BusyTime::finish()
{
    std::ranges::sort(m_spans, {}, &Span::beginNs);
    std::vector<Span> apart;
    for (const Span& span : m_spans) {
        if (!apart.empty() && span.beginNs <= apart.back().endNs)
            apart.back().endNs = std::max(apart.back().endNs, span.endNs);
        else
            apart.push_back(span);
    }
    std::int64_t busy = 0;
    for (Span& span : apart) {
        span.busyBeforeNs = busy;
        busy += span.endNs - span.beginNs;
    }
    m_spans = std::move(apart);
}

std::int64_t BusyTime::busyUntil(std::int64_t timeNs) const
{
    const auto next = std::ranges::upper_bound(m_spans, timeNs, {}, &Span::beginNs);
    if (next == m_spans.begin())
        return 0;
    const Span& span = *std::prev(next);
    return span.busyBeforeNs + std::min(timeNs, span.endNs) - span.beginNs;
}

double BusyTime::share(std::int64_t fromNs, std::int64_t toNs) const
{
    if (toNs <= fromNs)
        return 0;
    return static_cast<double>(busyUntil(toNs) - busyUntil(fromNs)) / static_cast<double>(toNs - fromNs);
}

std::vector<figures::BusyBin> BusyTime::bins(const figures::TimeWindow& window, std::size_t count) const
{
    std::vector<figures::BusyBin> bins;
    const auto most = std::max<std::int64_t>(static_cast<std::int64_t>(count), 1);
    const std::int64_t widthNs = std::max<std::int64_t>((window.lengthNs() + most - 1) / most, 1);
    for (std::int64_t at = window.beginNs; at < window.endNs; at += widthNs)
        bins.push_back({at, share(at, std::min(at + widthNs, window.endNs))});
    return bins;
}

} // namespace headroom::report
