// SPDX-License-Identifier: Apache-2.0
#include "core/base/Wording.h"

#include <gtest/gtest.h>

namespace headroom {
namespace {

TEST(WordingTest, wordsOfRecordsHaveSpaces)
{
    EXPECT_EQ(inWords("out_of_memory"), "out of memory");
    EXPECT_EQ(inWords("completed"), "completed");
}

TEST(WordingTest, oneIsSingular)
{
    EXPECT_EQ(counted(0, "trial"), "0 trials");
    EXPECT_EQ(counted(1, "trial"), "1 trial");
    EXPECT_EQ(counted(2, "trial"), "2 trials");
    EXPECT_EQ(countedOf(0, 1, "trial"), "0 of 1 trial");
    EXPECT_EQ(countedOf(2, 8, "trial"), "2 of 8 trials");
}

TEST(WordingTest, titlesWithinSentencesBeginSmallUnlessTheyAreInitials)
{
    EXPECT_EQ(midSentence("Saved activations"), "saved activations");
    EXPECT_EQ(midSentence("EMA"), "EMA");
    EXPECT_EQ(midSentence(""), "");
}

TEST(WordingTest, whatIsThereIsCountedByWord)
{
    EXPECT_EQ(tallied({{3, "completed"}, {0, "failed"}, {1, "out of memory"}}), "3 completed, 1 out of memory");
    EXPECT_EQ(tallied({{0, "failed"}}), "");
}

TEST(WordingTest, digitsStandInGroupsOfThree)
{
    EXPECT_EQ(grouped(0), "0");
    EXPECT_EQ(grouped(999), "999");
    EXPECT_EQ(grouped(7744), "7,744");
    EXPECT_EQ(grouped(1234567), "1,234,567");
    EXPECT_EQ(grouped(-100000), "-100,000");
}

TEST(WordingTest, countsForPeopleAreGrouped)
{
    EXPECT_EQ(counted(7744, "trial"), "7,744 trials");
    EXPECT_EQ(countedOf(1000, 7744, "trial"), "1,000 of 7,744 trials");
    EXPECT_EQ(tallied({{7744, "completed"}}), "7,744 completed");
}

TEST(WordingTest, putsCommasBetween)
{
    EXPECT_EQ(joined({}), "");
    EXPECT_EQ(joined({"a"}), "a");
    EXPECT_EQ(joined({"a", "b", "c"}), "a, b, c");
    EXPECT_EQ(joined({"a", "b", "c"}, " "), "a b c");
}

TEST(WordingTest, theLastOfSeveralComesAfterAnAnd)
{
    EXPECT_EQ(enumerated({}), "");
    EXPECT_EQ(enumerated({"a"}), "a");
    EXPECT_EQ(enumerated({"a", "b"}), "a and b");
    EXPECT_EQ(enumerated({"a", "b", "c"}), "a, b and c");
}

TEST(WordingTest, nothingIsSuggestedForNothing)
{
    EXPECT_EQ(didYouMean(""), "");
    EXPECT_EQ(didYouMean("x"), ", did you mean \"x\"?");
}

} // namespace
} // namespace headroom
