// SPDX-License-Identifier: Apache-2.0
#include "experiments/results/Shortage.h"

#include <gtest/gtest.h>

namespace headroom::experiments::shortage_test {
namespace {

TrialResult outOfMemory(std::optional<Bytes> requested, std::optional<Bytes> missing, std::optional<Bytes> limit)
{
    TrialResult result;
    result.outcome = Outcome::OutOfMemory;
    result.reason = "out of memory: what the allocator says";
    result.outOfMemory = protocol::OutOfMemoryFacts{"forward", requested, missing};
    result.memory.limit = limit;
    return result;
}

TrialResult withNeed(Bytes needed, Bytes missing)
{
    TrialResult result = outOfMemory(96 * kMiB, kMiB, 23 * kGiB);
    result.memory.need = {needed, missing};
    return result;
}

TEST(ShortageTest, saysTheWholeNeedAndWhereItFirstFailed)
{
    EXPECT_EQ(shortageText(withNeed(354 * kGiB / 10, 117 * kGiB / 10)),
        "needs 35.4 GiB, 11.7 more than usable; first failed in forward for 96 MiB");
}

TEST(ShortageTest, amountsOfOtherUnitsNameThem)
{
    EXPECT_EQ(shortageText(withNeed(24 * kGiB, 5 * kMiB)),
        "needs 24.0 GiB, 5.00 MiB more than usable; first failed in forward for 96 MiB");
}

TEST(ShortageTest, requestsThatAreNotRoundHaveThreeDigits)
{
    TrialResult result = withNeed(24 * kGiB, kGiB);
    result.outOfMemory->requestedBytes = 96 * kMiB + 400 * kKiB;
    EXPECT_EQ(shortageText(result), "needs 24.0 GiB, 1.00 more than usable; first failed in forward for 96.4 MiB");
}

TEST(ShortageTest, aProcessorTellsWhatIsNeededAtLeast)
{
    EXPECT_EQ(shortageText(outOfMemory(2 * kGiB, kGiB, 8 * kGiB)),
        "needs at least 9.00 GiB, 1.00 more than usable; first failed in forward for 2 GiB");
}

// Without a limit of its own the allocator may take the whole device, so a limit and what is outside overlap.
TEST(ShortageTest, aRealCardTellsWhatItsAllocatorWouldHaveHeld)
{
    TrialResult result = outOfMemory(2 * kGiB, kGiB, 24 * kGiB);
    result.outOfMemory->reservedBytes = 22 * kGiB;
    result.memory.afterLoad = {.reserved = kGiB, .device = 3 * kGiB / 2};
    EXPECT_EQ(
        shortageText(result), "needs at least 24.5 GiB, 1.00 more than usable; first failed in forward for 2 GiB");
}

// A simulated card in a workspace of a version that did not simulate without the limit: its context is not known where
// it did not come through loading.
TEST(ShortageTest, aCardWithoutAKnownContextTellsThatMoreIsNeededThanIsUsable)
{
    TrialResult result = outOfMemory(96 * kMiB, kMiB, 23 * kGiB);
    result.memory.wholeRunPeak.reserved = 22 * kGiB;
    EXPECT_EQ(shortageText(result), "needs at least 1.00 MiB more than usable; first failed in forward for 96 MiB");
    result.memory.afterLoad = {.reserved = kGiB, .device = 3 * kGiB / 2};
    EXPECT_EQ(
        shortageText(result), "needs at least 23.5 GiB, 1.00 MiB more than usable; first failed in forward for 96 MiB");
}

TEST(ShortageTest, aRealCardTellsWhatItHadGivenOut)
{
    TrialResult result = outOfMemory({}, {}, 80 * kGiB);
    result.memory.wholeRunPeak.reserved = 78 * kGiB;
    EXPECT_EQ(shortageText(result), "needs at least 78.0 GiB; first failed in forward");
    result.memory.afterLoad = {.reserved = kGiB, .device = 3 * kGiB / 2};
    EXPECT_EQ(shortageText(result), "needs at least 78.5 GiB; first failed in forward");
}

// The device is not what there was too little of.
TEST(ShortageTest, theHostsMemoryIsNoShortageOfTheDevice)
{
    TrialResult result = outOfMemory(kGiB, {}, 80 * kGiB);
    result.memory.wholeRunPeak.reserved = 78 * kGiB;
    EXPECT_EQ(shortageText(result), "");
    EXPECT_EQ(result.ending(), "out of memory: out of memory: what the allocator says");
}

TEST(ShortageTest, theEndingOfAResultIsTheSentence)
{
    const TrialResult result = withNeed(24 * kGiB, kGiB);
    EXPECT_EQ(result.ending(), "out of memory: " + shortageText(result));
}

TEST(ShortageTest, whatCompletedLacksNothing)
{
    TrialResult result = withNeed(24 * kGiB, kGiB);
    result.outcome = Outcome::Completed;
    EXPECT_FALSE(shortageOf(result));
}

} // namespace
} // namespace headroom::experiments::shortage_test
