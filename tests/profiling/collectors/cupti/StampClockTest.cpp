// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cupti/StampClock.h"

#include <cupti.h>

#include <gtest/gtest.h>

namespace headroom::collectors::cupti {
namespace {

constexpr trace::ClockSync kBefore{
    .timeNs = 5'000, .realtimeNs = 1'700'000'000'000'000'000, .monotonicNs = 9'000'000'000};
constexpr trace::ClockSync kAfter{
    .timeNs = 6'000, .realtimeNs = 1'700'000'000'000'001'000, .monotonicNs = 9'000'001'000};

TEST(StampClockTest, isTheOneThatTheStampLiesIn)
{
    EXPECT_EQ(clockOf(9'000'000'500, kBefore, kAfter), StampClock::Monotonic);
    EXPECT_EQ(clockOf(1'700'000'000'000'000'500, kBefore, kAfter), StampClock::Realtime);
    EXPECT_EQ(clockOf(27'000'000'000, kBefore, kAfter), StampClock::Foreign); // ticks of 3 GHz
    EXPECT_EQ(clockOf(0, kBefore, kAfter), StampClock::Foreign);
}

TEST(StampClockTest, theOriginIsTheStampOfTheTracesBegin)
{
    EXPECT_EQ(originStamp(StampClock::Monotonic, kBefore), 9'000'000'000U - 5'000U);
    EXPECT_EQ(originStamp(StampClock::Realtime, kBefore), 1'700'000'000'000'000'000U - 5'000U);
}

TEST(StampClockTest, readingsAreOnTheTracesAxis)
{
    const auto origin = std::chrono::steady_clock::now();
    const trace::ClockSync first = readClocks(origin), second = readClocks(origin);
    EXPECT_GE(first.timeNs, 0);
    EXPECT_EQ(second.monotonicNs - first.monotonicNs, second.timeNs - first.timeNs);
}

TEST(StampClockTest, withoutACallbackCuptiTellsTheTimeOfDay)
{
    const auto origin = std::chrono::steady_clock::now();
    const trace::ClockSync before = readClocks(origin);
    std::uint64_t stamp = 0;
    ASSERT_EQ(cuptiGetTimestamp(&stamp), CUPTI_SUCCESS);
    EXPECT_EQ(clockOf(stamp, before, readClocks(origin)), StampClock::Realtime);
}

} // namespace
} // namespace headroom::collectors::cupti
