// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/Box.h"

#include <cstddef>
#include <span>
#include <vector>

namespace headroom::figures {

/// Lines sorted into columns of a plot, so that those near a place are counted without looking at all: a curve has
/// thousands.
class SegmentColumns {
public:
    /// What lies beside the area counts to the columns at its edge. The segments outlive this.
    SegmentColumns(const Box& area, std::span<const Segment> segments);

    /// How many of them cross the box.
    std::size_t crossing(const Box& box) const;

private:
    std::size_t columnAt(double x) const;
    std::size_t firstColumn(const Segment& segment) const;

    Box m_area;
    std::span<const Segment> m_segments;
    std::vector<std::vector<std::size_t>> m_columns; ///< places of segments
};

} // namespace headroom::figures
