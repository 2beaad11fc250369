// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/layout/LabelPlacement.h"

#include "tests/experiments/figures/ExampleFigures.h"

#include <gmock/gmock.h>

namespace headroom::figures::label_placement_test {
namespace {

using testing::IsEmpty;

constexpr double kRadius = 5;
const Box kArea{0, 0, 400, 300};

LabelRequest labelAt(double x, double y, double width = 40)
{
    return {{x, y}, kRadius, {width}, 14};
}

Box markOf(const LabelRequest& request)
{
    return Box{request.anchor.x, request.anchor.y, 0, 0}.grown(kRadius);
}

Placement placed(const std::vector<LabelRequest>& requests, std::vector<Segment> lines = {})
{
    Obstacles obstacles{kArea, {}, std::move(lines)};
    for (const LabelRequest& request : requests)
        obstacles.boxes.push_back(markOf(request));
    return placeLabels(requests, obstacles);
}

void expectNothingOverlaps(const std::vector<LabelRequest>& requests, const Placement& placement)
{
    for (std::size_t i = 0; i < placement.placed.size(); ++i) {
        const PlacedLabel& label = placement.placed[i];
        EXPECT_TRUE(kArea.holds(label.box));
        for (const LabelRequest& request : requests)
            EXPECT_FALSE(overlap(label.box, markOf(request)));
        for (std::size_t j = 0; j < placement.placed.size(); ++j) {
            const auto& leader = placement.placed[j].leader;
            if (i != j) {
                EXPECT_FALSE(overlap(label.box, placement.placed[j].box));
                EXPECT_FALSE(leader && cross(*leader, label.box));
                EXPECT_FALSE(leader && label.leader && cross(*leader, *label.leader));
            }
        }
    }
}

TEST(LabelPlacementTest, aLabelGivesWayToOneThatHasNoOtherPlace)
{
    const Obstacles row{{0, 0, 110, 16}, {}, {}};
    const std::vector<LabelRequest> requests{labelAt(50, 8, 30), labelAt(105, 8, 30)};
    const Placement placement = placeLabels(requests, row);
    EXPECT_THAT(placement.dropped, IsEmpty());
    for (const PlacedLabel& label : placement.placed)
        EXPECT_LT(label.box.right(), requests[label.request].anchor.x); // of the first one, too, which likes the right
}

TEST(LabelPlacementTest, aWallIsNeverCoveredEvenIfALabelHasToBeLeftOut)
{
    Random random(7);
    for (int i = 0; i < 200; ++i) {
        std::vector<LabelRequest> requests;
        Obstacles obstacles{kArea, {}, {}};
        Pixel last{0, 300};
        for (int step = 0; step < 6; ++step) { // a front: stairs up to the right, with a mark on each
            const Pixel next{last.x + 20 + 60 * random.fraction(), last.y - 10 - 45 * random.fraction()};
            obstacles.walls.push_back({last, {next.x, last.y}});
            obstacles.walls.push_back({{next.x, last.y}, next});
            requests.push_back(labelAt(next.x, next.y, 60 + 80 * random.fraction()));
            obstacles.boxes.push_back(markOf(requests.back()));
            last = next;
        }
        const Placement placement = placeLabels(requests, obstacles);
        for (const PlacedLabel& label : placement.placed)
            for (const Segment& wall : obstacles.walls)
                ASSERT_FALSE(cross(wall, label.box)) << "of " << i;
        ASSERT_EQ(placement.placed.size() + placement.dropped.size(), requests.size());
        expectNothingOverlaps(requests, placement);
    }
    const Obstacles shutIn{{0, 0, 60, 20}, {}, {}, {{{0, 10}, {60, 10}}, {{0, 2}, {60, 2}}, {{0, 18}, {60, 18}}}};
    EXPECT_EQ(placeLabels(std::vector{labelAt(5, 10)}, shutIn).dropped.size(), 1U);
}

TEST(LabelPlacementTest, aLoneLabelIsBesideItsMark)
{
    const auto placement = placed({labelAt(100, 100)});
    ASSERT_EQ(placement.placed.size(), 1U);
    EXPECT_GT(placement.placed[0].box.x, 105);
    EXPECT_LT(placement.placed[0].box.x, 112);
    EXPECT_FALSE(placement.placed[0].leader);
}

TEST(LabelPlacementTest, aLabelAtTheRightEdgeGoesToAnotherSide)
{
    const auto placement = placed({labelAt(390, 100)});
    ASSERT_EQ(placement.placed.size(), 1U);
    EXPECT_LT(placement.placed[0].box.right(), 400);
}

TEST(LabelPlacementTest, aLineIsLeftFreeWhereAnotherPlaceIs)
{
    const Segment line{{100, 100}, {400, 100}};
    const auto placement = placed({labelAt(100, 100)}, {line});
    ASSERT_EQ(placement.placed.size(), 1U);
    EXPECT_FALSE(cross(line, placement.placed[0].box));
}

TEST(LabelPlacementTest, marksOnOnePointAllGetLabels)
{
    const std::vector<LabelRequest> requests(12, labelAt(200, 150));
    const auto placement = placed(requests);
    EXPECT_THAT(placement.dropped, IsEmpty());
    expectNothingOverlaps(requests, placement);
}

TEST(LabelPlacementTest, aShorterFormIsTakenWhereTheLongOneHasNoPlace)
{
    const auto placement =
        placeLabels(std::vector<LabelRequest>{{{200, 150}, kRadius, {500, 60}, 14}}, {kArea, {}, {}});
    ASSERT_EQ(placement.placed.size(), 1U);
    EXPECT_EQ(placement.placed[0].form, 1U);
    EXPECT_EQ(placement.placed[0].box.width, 60);
}

TEST(LabelPlacementTest, whatIsTooWideIsDropped)
{
    EXPECT_EQ(placed({labelAt(100, 100, 500)}).dropped.size(), 1U);
}

TEST(LabelPlacementTest, nothingOverlapsWhateverTheMarks)
{
    Random random(4);
    for (int i = 0; i < 300; ++i) {
        std::vector<LabelRequest> requests;
        for (std::size_t count = random.below(60); count > 0; --count)
            requests.push_back(
                labelAt(10 + 380 * random.fraction(), 10 + 280 * random.fraction(), 10 + 120 * random.fraction()));
        const auto placement = placed(requests);
        EXPECT_EQ(placement.placed.size() + placement.dropped.size(), requests.size());
        expectNothingOverlaps(requests, placement);
        if (testing::Test::HasFailure())
            FAIL() << "in round " << i;
    }
}

TEST(LabelPlacementTest, theFirstRequestComesFirst)
{
    // Room for one label only.
    const Obstacles narrow{{0, 0, 60, 20}, {{0, 5, 10, 10}}, {}};
    const auto placement = placeLabels(std::vector<LabelRequest>{labelAt(5, 10), labelAt(5, 10)}, narrow);
    ASSERT_EQ(placement.placed.size(), 1U);
    EXPECT_EQ(placement.placed[0].request, 0U);
    EXPECT_EQ(placement.dropped, std::vector<std::size_t>{1});
}

} // namespace
} // namespace headroom::figures::label_placement_test
