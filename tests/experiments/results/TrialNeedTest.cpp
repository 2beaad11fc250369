// SPDX-License-Identifier: Apache-2.0
#include "experiments/results/TrialNeed.h"

#include <gtest/gtest.h>

namespace headroom::experiments::trial_need_test {
namespace {

using protocol::MemoryFigures;
using protocol::RepeatMemory;
using protocol::RepeatResult;

constexpr Bytes kContext = kGiB / 2;

// As a simulated card tells: the device's figure has the driver's part in it.
MemoryFigures onCard(Bytes reserved)
{
    return {.allocated = reserved - kMiB, .reserved = reserved, .device = reserved + kContext};
}

RepeatMemory cardMemory(Bytes reserved)
{
    RepeatMemory memory;
    memory.afterLoad = onCard(kGiB);
    memory.firstStepPeak = onCard(reserved - kMiB);
    memory.peak = onCard(reserved);
    memory.limit = 23 * kGiB;
    return memory;
}

RepeatResult outOfMemory(std::optional<Bytes> missing)
{
    RepeatResult result;
    result.outcome = Outcome::OutOfMemory;
    result.outOfMemory = {"forward", 96 * kMiB, missing};
    return result;
}

RepeatResult outOfMemory(Bytes missing, const MemoryFigures& need)
{
    RepeatResult result = outOfMemory(missing);
    result.need = protocol::UnlimitedNeed{need, {0.5}};
    return result;
}

TEST(TrialNeedTest, aTrialThatFitsNeedsContextAndReservedAndLacksNothing)
{
    EXPECT_EQ(trialNeed(Outcome::Completed, cardMemory(10 * kGiB), {}), (TrialNeed{10 * kGiB + kContext, 0}));
}

TEST(TrialNeedTest, whatTheFirstStepOrTheLoadingTookCounts)
{
    RepeatMemory memory = cardMemory(10 * kGiB);
    memory.firstStepPeak = onCard(11 * kGiB);
    EXPECT_EQ(trialNeed(Outcome::Completed, memory, {}).needed, 11 * kGiB + kContext);
    memory.afterLoad = onCard(12 * kGiB);
    EXPECT_EQ(trialNeed(Outcome::Completed, memory, {}).needed, 12 * kGiB + kContext);
}

TEST(TrialNeedTest, ofAnOutOfMemoryTrialItIsThatOfTheRunWithoutTheLimit)
{
    RepeatMemory memory;
    memory.limit = 23 * kGiB;
    EXPECT_EQ(trialNeed(Outcome::OutOfMemory, memory, {outOfMemory(kMiB, onCard(35 * kGiB))}),
        (TrialNeed{35 * kGiB + kContext, 12 * kGiB}));
}

// Needed less missing is the usable memory in any case.
TEST(TrialNeedTest, theFirstRequestThatFailedIsPartOfTheNeed)
{
    RepeatMemory memory;
    memory.limit = 23 * kGiB;
    EXPECT_EQ(trialNeed(Outcome::OutOfMemory, memory, {outOfMemory(kMiB, onCard(20 * kGiB))}),
        (TrialNeed{23 * kGiB + kContext + kMiB, kMiB}));
}

TEST(TrialNeedTest, withoutThatRunNothingIsKnown)
{
    RepeatMemory memory;
    memory.limit = 23 * kGiB;
    EXPECT_EQ(trialNeed(Outcome::OutOfMemory, memory, {outOfMemory(kMiB)}), TrialNeed{});
}

// Peaks of a real device do not have its own figure: it is asked between phases.
TEST(TrialNeedTest, onARealCardWhatIsOutsideOfTheAllocatorIsAdded)
{
    RepeatMemory memory;
    memory.afterLoad = {.reserved = 4 * kGiB, .device = 5 * kGiB};
    memory.resting = {.reserved = 5 * kGiB, .device = 7 * kGiB};
    memory.peak = {.allocated = 8 * kGiB, .reserved = 9 * kGiB};
    memory.limit = 80 * kGiB;
    EXPECT_EQ(trialNeed(Outcome::Completed, memory, {}), (TrialNeed{11 * kGiB, 0}));
}

TEST(TrialNeedTest, aProcessorHasANeedUnderALimitOnly)
{
    RepeatMemory memory;
    memory.peak.allocated = 3 * kGiB;
    EXPECT_EQ(trialNeed(Outcome::Completed, memory, {}), TrialNeed{});
    memory.limit = 4 * kGiB;
    EXPECT_EQ(trialNeed(Outcome::Completed, memory, {}), (TrialNeed{3 * kGiB, 0}));
    EXPECT_EQ(trialNeed(Outcome::OutOfMemory, memory, {outOfMemory(kMiB, {.allocated = 6 * kGiB})}),
        (TrialNeed{6 * kGiB, 2 * kGiB}));
}

TEST(TrialNeedTest, aDeviceWithoutALimitLacksNothingThatIsKnown)
{
    RepeatMemory memory = cardMemory(10 * kGiB);
    memory.limit.reset();
    EXPECT_EQ(trialNeed(Outcome::Completed, memory, {}), (TrialNeed{10 * kGiB + kContext, std::nullopt}));
}

TEST(TrialNeedTest, whatFailedHasNoNeed)
{
    for (const Outcome outcome : {Outcome::Failed, Outcome::TimedOut, Outcome::Cancelled, Outcome::Skipped})
        EXPECT_EQ(trialNeed(outcome, cardMemory(10 * kGiB), {}), TrialNeed{});
}

} // namespace
} // namespace headroom::experiments::trial_need_test
