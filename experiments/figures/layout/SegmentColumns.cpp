// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/layout/SegmentColumns.h"

#include <algorithm>
#include <cmath>

namespace headroom::figures {
namespace {

constexpr double kColumnWidth = 16;

} // namespace

SegmentColumns::SegmentColumns(const Box& area, std::span<const Segment> segments)
    : m_area(area)
    , m_segments(segments)
    , m_columns(static_cast<std::size_t>(std::max(1.0, std::ceil(area.width / kColumnWidth))))
{
    for (std::size_t i = 0; i < segments.size(); ++i) {
        const std::size_t last = columnAt(std::max(segments[i].from.x, segments[i].to.x));
        for (std::size_t column = firstColumn(segments[i]); column <= last; ++column)
            m_columns[column].push_back(i);
    }
}

// A segment through several columns counts in the first one that it shares with the box.
std::size_t SegmentColumns::crossing(const Box& box) const
{
    std::size_t count = 0;
    const std::size_t left = columnAt(box.x);
    for (std::size_t column = left; column <= columnAt(box.right()); ++column)
        for (const std::size_t i : m_columns[column])
            if (column == std::max(left, firstColumn(m_segments[i])) && cross(m_segments[i], box))
                ++count;
    return count;
}

std::size_t SegmentColumns::columnAt(double x) const
{
    const double last = static_cast<double>(m_columns.size() - 1);
    return static_cast<std::size_t>(std::clamp(std::floor((x - m_area.x) / kColumnWidth), 0.0, last));
}

std::size_t SegmentColumns::firstColumn(const Segment& segment) const
{
    return columnAt(std::min(segment.from.x, segment.to.x));
}

} // namespace headroom::figures
