// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/layout/SegmentColumns.h"

#include "tests/experiments/figures/ExampleFigures.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace headroom::figures {
namespace {

TEST(SegmentColumnsTest, countsWhatLookingAtAllSegmentsCounts)
{
    Random random(5);
    const Box area{10, 20, 700, 400};
    const auto somePixel = [&] { return Pixel{-50 + 800 * random.fraction(), -50 + 500 * random.fraction()}; };
    std::vector<Segment> segments;
    for (int i = 0; i < 200; ++i) {
        const Pixel from = somePixel();
        segments.push_back({from, i % 2 == 0 ? somePixel() : Pixel{from.x, from.y + 30}});
    }
    const SegmentColumns columns(area, segments);
    for (int i = 0; i < 200; ++i) {
        const Pixel corner = somePixel();
        const Box box{corner.x, corner.y, 150 * random.fraction(), 40 * random.fraction()};
        const auto crosses = [&](const Segment& segment) { return cross(segment, box); };
        EXPECT_EQ(
            columns.crossing(box), static_cast<std::size_t>(std::count_if(segments.begin(), segments.end(), crosses)))
            << i;
    }
}

TEST(SegmentColumnsTest, anAreaWithoutWidthHasOneColumn)
{
    const std::vector<Segment> segments{{{0, 0}, {10, 10}}};
    EXPECT_EQ(SegmentColumns({0, 0, 0, 0}, segments).crossing({4, 3, 2, 2}), 1U);
}

} // namespace
} // namespace headroom::figures
