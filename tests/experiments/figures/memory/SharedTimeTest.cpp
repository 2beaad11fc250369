// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/memory/SharedTime.h"

#include <gtest/gtest.h>

namespace headroom::figures {
namespace {

using Phases = std::vector<trace::PhaseSpan>;

// A warm-up around two steps, then the trial's own; each phase as long as said.
Phases steps(std::int64_t forward, std::int64_t backward)
{
    Phases phases;
    std::int64_t at = 50;
    for (int step = 0; step < 3; ++step) {
        phases.push_back({"forward", step, at, at + forward});
        phases.push_back({"backward", step, at + forward, at + forward + backward});
        at += forward + backward;
    }
    phases.push_back({trace::kWarmUpPhase, -1, 50, 50 + 2 * (forward + backward)});
    return phases;
}

TEST(SharedTimeTest, stretchedPhasesBeginAndEndTogether)
{
    const Phases first = steps(100, 200);
    const Phases other = steps(130, 510);
    const auto time = sharedTime(other, first, Alignment::Stretched);
    ASSERT_TRUE(time);
    for (std::size_t i = 0; i < first.size(); ++i) {
        EXPECT_EQ(time->of(other[i].beginNs), first[i].beginNs);
        EXPECT_EQ(time->of(other[i].endNs), first[i].endNs);
    }
    EXPECT_EQ(time->of(other[1].beginNs + 255), first[1].beginNs + 100); // the middle of a phase
}

TEST(SharedTimeTest, theWayBackIsExactToTheNanosecondAtThePhases)
{
    const Phases first = steps(1'000, 2'000);
    const Phases other = steps(1'300, 5'100);
    const auto time = sharedTime(other, first, Alignment::Stretched);
    for (const trace::PhaseSpan& phase : other)
        EXPECT_EQ(time->own(time->of(phase.beginNs)), phase.beginNs);
    for (std::int64_t own = -100; own < 20'000; own += 37) // before, between and beyond the knots
        EXPECT_TRUE(std::abs(time->own(time->of(own)) - own) <= 4);
}

TEST(SharedTimeTest, timesStayInOrder)
{
    const auto time = sharedTime(steps(1'300, 10), steps(10, 2'000), Alignment::Stretched);
    for (std::int64_t own = 0; own < 4'500; ++own)
        EXPECT_TRUE(time->of(own) <= time->of(own + 1));
}

TEST(SharedTimeTest, phasesThatOnlyOneHasLieBetweenTheOthers)
{
    const Phases first = steps(100, 200);
    Phases other;
    for (int step = 0; step < 3; ++step) {
        const std::int64_t at = 50 + 400 * step;
        other.push_back({"forward", step, at, at + 130});
        other.push_back({"backward", step, at + 130, at + 360});
        other.push_back({"ema", step, at + 360, at + 400});
    }
    const auto time = sharedTime(other, first, Alignment::Stretched);
    ASSERT_TRUE(time);
    for (const int step : {0, 1, 2})
        for (const int phase : {0, 1}) // forward and backward begin together, whatever is between them
            EXPECT_EQ(time->of(other[3 * step + phase].beginNs), first[2 * step + phase].beginNs);
    EXPECT_TRUE(sharedTime(first, other, Alignment::Stretched).has_value());
}

TEST(SharedTimeTest, otherPhasesCannotBeStretched)
{
    Phases other = steps(100, 200);
    other.pop_back();
    EXPECT_TRUE(sharedTime(other, steps(100, 200), Alignment::Stretched)); // what is around the phases does not matter
    for (trace::PhaseSpan& phase : other)
        phase.name = "other " + phase.name;
    EXPECT_TRUE(!sharedTime(other, steps(100, 200), Alignment::Stretched));
    EXPECT_TRUE(!sharedTime({}, steps(100, 200), Alignment::Stretched));
}

TEST(SharedTimeTest, stepsCanBeStretchedWhateverPhasesTheyHave)
{
    const Phases first = steps(100, 200);
    Phases other = steps(130, 510);
    other.push_back({"ema", 1, 700, 720});
    const auto time = sharedTime(other, first, Alignment::Steps);
    ASSERT_TRUE(time);
    for (const std::size_t step : {0U, 1U, 2U})
        EXPECT_EQ(time->of(other[2 * step].beginNs), first[2 * step].beginNs);
    EXPECT_EQ(time->of(other[5].endNs), first[5].endNs);
    other.push_back({"forward", 3, 5'000, 5'100});
    EXPECT_TRUE(!sharedTime(other, first, Alignment::Steps));
}

TEST(SharedTimeTest, theLastPhasesOfANameBeginTogether)
{
    const Phases first = steps(100, 200);
    const Phases other = steps(130, 510);
    const auto time = sharedTime(other, first, Alignment::Phase, "backward");
    ASSERT_TRUE(time);
    EXPECT_EQ(time->of(other[5].beginNs), first[5].beginNs);
    EXPECT_EQ(time->of(other[5].beginNs + 400), first[5].beginNs + 400);
    EXPECT_TRUE(!sharedTime(other, first, Alignment::Phase, "ema"));
}

TEST(SharedTimeTest, sharesOfTheWholeAreAtTheSamePlace)
{
    const SharedTime time = sharedByLength(3'000, 1'000);
    for (const std::int64_t own : {0, 300, 1'500, 3'000})
        EXPECT_EQ(time.of(own), own / 3);
    EXPECT_EQ(time.own(500), std::int64_t(1'500));
}

// A comparison of a run with itself says that nothing differs, whatever the lengths of its phases.
TEST(SharedTimeTest, phasesOfTheSameLengthLeaveTimesAsTheyAre)
{
    const Phases phases = steps(7'919, 104'729);
    const auto time = sharedTime(phases, phases, Alignment::Stretched);
    for (std::int64_t own = 0; own < 400'000; own += 3)
        ASSERT_EQ(time->of(own), own);
}

} // namespace
} // namespace headroom::figures
