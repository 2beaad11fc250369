// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/rules/StepClock.h"

#include <gtest/gtest.h>

namespace headroom::simulator {
namespace {

TEST(StepClockTest, manyShortKernelsAreBoundByTheHost)
{
    StepClock clock;
    for (int i = 0; i < 1000; ++i)
        clock.enqueue(5.0, 2.0);
    EXPECT_DOUBLE_EQ(clock.elapsedSeconds(), 5002.0); // the last kernel starts when it is enqueued
}

TEST(StepClockTest, longKernelsHideTheHost)
{
    StepClock clock;
    for (int i = 0; i < 1000; ++i)
        clock.enqueue(5.0, 20.0);
    EXPECT_DOUBLE_EQ(clock.elapsedSeconds(), 5.0 + 20000.0);
    EXPECT_DOUBLE_EQ(clock.hostSeconds(), 5000.0);
}

TEST(StepClockTest, synchronizingEmptiesTheQueue)
{
    StepClock clock;
    clock.enqueue(1.0, 10.0);
    clock.synchronize(kDefaultStream);
    EXPECT_DOUBLE_EQ(clock.hostSeconds(), 11.0);
    clock.enqueue(1.0, 10.0);
    EXPECT_DOUBLE_EQ(clock.elapsedSeconds(), 22.0);
}

TEST(StepClockTest, streamsOverlapUntilOneWaitsForTheOther)
{
    StepClock clock;
    clock.enqueue(1.0, 10.0, 0);
    clock.enqueue(1.0, 10.0, 1);
    EXPECT_DOUBLE_EQ(clock.elapsedSeconds(), 12.0);
    clock.waitFor(0, 1);
    clock.enqueue(1.0, 10.0, 0);
    EXPECT_DOUBLE_EQ(clock.elapsedSeconds(), 22.0);
    clock.spendOnHost(100.0);
    EXPECT_DOUBLE_EQ(clock.elapsedSeconds(), 103.0);
    clock.synchronizeAll();
    EXPECT_DOUBLE_EQ(clock.hostSeconds(), 103.0);
    clock.reset();
    EXPECT_DOUBLE_EQ(clock.elapsedSeconds(), 0.0);
}

} // namespace
} // namespace headroom::simulator
