// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/layout/BoxGrid.h"

#include "tests/experiments/figures/ExampleFigures.h"

#include <gtest/gtest.h>

namespace headroom::figures {
namespace {

TEST(BoxGridTest, findsWhatLookingAtAllBoxesFinds)
{
    Random random(3);
    const Box area{10, 20, 700, 400};
    const auto someBox = [&] {
        return Box{-50 + 800 * random.fraction(), -50 + 500 * random.fraction(), 60 * random.fraction(),
            40 * random.fraction()};
    };
    BoxGrid grid(area);
    std::vector<Box> all;
    for (int i = 0; i < 300; ++i) {
        all.push_back(someBox());
        grid.add(all.back());
        const Box where = someBox();
        const auto matches = [&](const Box& box) { return overlap(box, where); };
        EXPECT_EQ(grid.any(where, matches), std::any_of(all.begin(), all.end(), matches)) << i;
    }
}

} // namespace
} // namespace headroom::figures
