// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cupti/RecordDecoder.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>

namespace headroom::collectors::cupti {
namespace {

trace::MarkerRecord range(std::uint32_t id, std::int64_t beginNs, std::int64_t endNs = 0)
{
    return {.beginNs = beginNs, .endNs = endNs, .id = id};
}

TEST(MarkerRangesTest, anEndMayArriveFirst)
{
    MarkerRanges ranges;
    ranges.end(1, 5);
    EXPECT_EQ(ranges.endsWithoutBegin(), 1);
    ranges.begin(range(1, 2));
    EXPECT_THAT(ranges.takeComplete(), testing::ElementsAre(range(1, 2, 5)));
    EXPECT_EQ(ranges.endsWithoutBegin(), 0);
    EXPECT_TRUE(ranges.takeAll().empty());
}

TEST(MarkerRangesTest, aRangeThatNeverEndsSaysSo)
{
    MarkerRanges ranges;
    ranges.begin(range(1, 2));
    EXPECT_TRUE(ranges.takeComplete().empty());
    EXPECT_THAT(ranges.takeAll(), testing::ElementsAre(range(1, 2, -1)));
}

TEST(MarkerRangesTest, anIdThatIsUsedAgainBeginsAnotherRange)
{
    MarkerRanges ranges;
    ranges.begin(range(1, 2));
    ranges.begin(range(1, 10));
    ranges.end(1, 12);
    EXPECT_THAT(ranges.takeComplete(), testing::ElementsAre(range(1, 2, -1), range(1, 10, 12)));
}

TEST(MarkerRangesTest, anEndBeforeTheBeginIsOfAnotherRange)
{
    MarkerRanges ranges;
    ranges.end(1, 3);
    ranges.begin(range(1, 10));
    EXPECT_TRUE(ranges.takeComplete().empty());
    ranges.end(1, 12);
    EXPECT_THAT(ranges.takeAll(), testing::ElementsAre(range(1, 10, 12)));
    EXPECT_EQ(ranges.endsWithoutBegin(), 1);
}

TEST(MarkerRangesTest, marksEndWhereTheyBegin)
{
    MarkerRanges ranges;
    trace::MarkerRecord mark = range(1, 4);
    mark.isMark = true;
    ranges.mark(mark);
    mark.endNs = 4;
    EXPECT_THAT(ranges.takeComplete(), testing::ElementsAre(mark));
}

struct Side {
    std::uint32_t id;
    std::int64_t timeNs;
    bool isEnd;
};

TEST(MarkerRangesTest, sidesInAnyOrderMakeTheRangesThatTheyCameFrom)
{
    std::mt19937 random(7);
    for (int round = 0; round < 50; ++round) {
        std::vector<trace::MarkerRecord> expected;
        std::vector<Side> sides;
        for (std::uint32_t id = 0; id < 40; ++id) {
            const auto begin = static_cast<std::int64_t>(random() % 1000);
            const bool ends = random() % 4 != 0;
            const auto end = begin + static_cast<std::int64_t>(random() % 100);
            expected.push_back(range(id, begin, ends ? end : -1));
            sides.push_back({id, begin, false});
            if (ends)
                sides.push_back({id, end, true});
        }
        std::shuffle(sides.begin(), sides.end(), random);
        MarkerRanges ranges;
        for (const Side& side : sides)
            if (side.isEnd)
                ranges.end(side.id, side.timeNs);
            else
                ranges.begin(range(side.id, side.timeNs));
        EXPECT_THAT(ranges.takeAll(), testing::UnorderedElementsAreArray(expected));
    }
}

} // namespace
} // namespace headroom::collectors::cupti
