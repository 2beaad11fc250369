// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/rules/FreshMemory.h"

#include <gtest/gtest.h>

namespace headroom::simulator {
namespace {

// A byte per second; 100 free ones are kept, in blocks of at most 50.
FreshMemory memory()
{
    return FreshMemory({{1, ""}, {100, ""}, {50, ""}});
}

TEST(FreshMemoryTest, whatTheProcessHoldsIsTouchedOnce)
{
    FreshMemory held = memory();
    EXPECT_DOUBLE_EQ(held.secondsFor(40), 40);
    EXPECT_DOUBLE_EQ(held.secondsFor(40), 0);
    EXPECT_DOUBLE_EQ(held.secondsFor(10), 0);
    EXPECT_DOUBLE_EQ(held.secondsFor(45), 5) << "40 bytes were held";
}

TEST(FreshMemoryTest, whatIsFreeAboveTheKeptBytesComesAgain)
{
    FreshMemory held = memory();
    for (Bytes live = 50; live <= 300; live += 50)
        EXPECT_DOUBLE_EQ(held.secondsFor(live), 50);
    held.secondsFor(0); // 100 of them stay
    EXPECT_DOUBLE_EQ(held.secondsFor(50), 0);
    EXPECT_DOUBLE_EQ(held.secondsFor(100), 0);
    EXPECT_DOUBLE_EQ(held.secondsFor(150), 50);
}

TEST(FreshMemoryTest, aLargeBlockIsFreshEachTime)
{
    FreshMemory held = memory();
    EXPECT_DOUBLE_EQ(held.secondsFor(60), 60);
    EXPECT_DOUBLE_EQ(held.secondsFor(0), 0);
    EXPECT_DOUBLE_EQ(held.secondsFor(60), 60);
}

} // namespace
} // namespace headroom::simulator
