// SPDX-License-Identifier: Apache-2.0
#include "profiling/measurement/SteadyState.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

namespace headroom::collectors {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// The duration of step `index`, in seconds.
using Steps = std::function<double(int index)>;
using Memory = std::function<MemoryMark(int index)>;

struct Course {
    int warmupSteps = 0; ///< timed steps that were not accepted among them
    std::optional<bool> verdict;
    std::vector<std::string> objections;
    std::vector<double> timed;
};

MemoryMark still(int)
{
    return {.peakAllocated = 1000, .peakReserved = 2000, .allocRetries = 0};
}

/// What a measurement does with a SteadyState.
Course courseOf(const config::MeasurementProtocol& protocol, const Steps& steps, const Memory& memory = still)
{
    SteadyState state(protocol);
    int index = 0;
    std::vector<double> timed;
    for (;;) {
        while (!state.warmUpIsOver()) {
            state.add(steps(index), memory(index));
            ++index;
        }
        timed.clear();
        for (int step = 0; step < protocol.steps; ++step)
            timed.push_back(steps(index++));
        if (state.accepts(timed))
            return {static_cast<int>(state.seconds().size()), state.verdict(timed), state.objections(timed), timed};
        state.resume(timed);
    }
}

Course courseOf(const Steps& steps, const Memory& memory = still)
{
    return courseOf({}, steps, memory);
}

/// Reproducible on every machine: distributions of the standard library are not.
class Noise {
public:
    explicit Noise(std::uint64_t seed)
        : m_random(seed)
    {
    }
    double uniform() { return static_cast<double>(m_random() >> 11) / 9007199254740992.0; }
    /// Lognormal by the sum of twelve.
    double factor(double sigma)
    {
        double sum = -6;
        for (int i = 0; i < 12; ++i)
            sum += uniform();
        return std::exp(sigma * sum);
    }

private:
    std::mt19937_64 m_random;
};

TEST(SteadyStateTest, equalStepsAreSteadyAfterTheShortestWindow)
{
    const Course course = courseOf([](int) { return 0.5; });
    EXPECT_EQ(course.warmupSteps, 10);
    EXPECT_EQ(course.verdict, true);
    EXPECT_THAT(course.objections, IsEmpty());
}

TEST(SteadyStateTest, shortStepsWarmUpForATenthOfASecondOrAHundredSteps)
{
    EXPECT_EQ(courseOf([](int) { return 0.00005; }).warmupSteps, 100);
    EXPECT_EQ(courseOf([](int) { return 0.002; }).warmupSteps, 50);
}

TEST(SteadyStateTest, atLeastTheStepsOfTheProtocolAreRun)
{
    config::MeasurementProtocol protocol;
    protocol.warmupSteps = 33;
    EXPECT_EQ(courseOf(protocol, [](int) { return 0.1; }).warmupSteps, 33);
}

TEST(SteadyStateTest, withoutRoomForATestTheWarmUpIsAsLongAsSaid)
{
    config::MeasurementProtocol protocol;
    protocol.warmupSteps = 3;
    for (const int most : {0, 3}) {
        protocol.maxWarmupSteps = most;
        const Course course = courseOf(protocol, [](int index) { return 1.0 + index; });
        EXPECT_EQ(course.warmupSteps, 3);
        EXPECT_EQ(course.verdict, std::nullopt) << "no test, no verdict";
    }
}

TEST(SteadyStateTest, aDecayingWarmUpIsWaitedFor)
{
    for (const double steps : {3.0, 10.0, 40.0}) {
        const Course course = courseOf([&](int index) { return 0.01 * (1 + 4 * std::exp(-index / steps)); });
        EXPECT_EQ(course.verdict, true) << steps;
        EXPECT_GT(course.warmupSteps, steps);
        EXPECT_LT(course.timed.front(), 0.01 * 1.03) << "what is timed is the end of the decay";
    }
}

TEST(SteadyStateTest, growthOfThreePercentPerStepIsNeverSteady)
{
    Noise noise(1);
    const Course linear = courseOf([&](int index) { return 0.01 * (1 + 0.03 * index) * noise.factor(0.02); });
    EXPECT_EQ(linear.verdict, false);
    EXPECT_THAT(linear.objections.front(), HasSubstr("% per step after"));
    const Course compound = courseOf([&](int index) { return 0.001 * std::pow(1.03, index) * noise.factor(0.02); });
    EXPECT_EQ(compound.verdict, false);
    EXPECT_THAT(compound.objections.front(), HasSubstr("the step time still changed by +3."));
}

TEST(SteadyStateTest, aDriftOfOnePercentPerStepIsFoundTooAndSmallerOnesAreWithinTheTolerance)
{
    Noise noise(2);
    const Course course = courseOf([&](int index) { return 0.02 * (1 + 0.01 * index) * noise.factor(0.02); });
    EXPECT_EQ(course.verdict, false);
    const Course small = courseOf([&](int index) { return 0.02 * (1 + 0.001 * index) * noise.factor(0.02); });
    EXPECT_EQ(small.verdict, true);
}

TEST(SteadyStateTest, lateSpikesAreNoChange)
{
    Noise noise(3);
    const Course course = courseOf([&](int index) {
        return (index == 0 || index == 7 || index == 12 || index == 30 ? 2.0 : 0.01) * noise.factor(0.03);
    });
    EXPECT_EQ(course.verdict, true);
    EXPECT_LE(course.warmupSteps, 60);
}

TEST(SteadyStateTest, aLateChangeOfLevelIsTakenIntoTheWarmUp)
{
    Noise noise(4);
    const Course course = courseOf([&](int index) { return (index < 12 ? 0.05 : 0.01) * noise.factor(0.03); });
    EXPECT_EQ(course.verdict, true);
    for (const double seconds : course.timed)
        EXPECT_LT(seconds, 0.02);
}

TEST(SteadyStateTest, timedStepsThatLeaveTheWindowAreNotTheFigure)
{
    Noise noise(5);
    // Ten steps of warm-up are enough by themselves; from the eleventh on another level rules.
    const Course course = courseOf([&](int index) { return (index < 10 ? 0.05 : 0.02) * noise.factor(0.01); });
    EXPECT_EQ(course.verdict, true);
    EXPECT_GT(course.warmupSteps, 15);
    for (const double seconds : course.timed)
        EXPECT_LT(seconds, 0.025);
}

TEST(SteadyStateTest, growingMemoryIsFlaggedAndACacheThatSettlesIsNot)
{
    const auto growing = [](int index) {
        return MemoryMark{.peakAllocated = 1000 + index, .peakReserved = {}, .allocRetries = {}};
    };
    const Course leak = courseOf([](int) { return 0.05; }, growing);
    EXPECT_EQ(leak.verdict, false);
    EXPECT_THAT(leak.objections.front(), HasSubstr("memory was still growing after"));
    const auto settling = [](int index) {
        return MemoryMark{.peakAllocated = 1, .peakReserved = index < 6 ? 5 : 9, .allocRetries = 0};
    };
    const Course settled = courseOf([](int) { return 0.05; }, settling);
    EXPECT_EQ(settled.verdict, true);
    EXPECT_EQ(settled.warmupSteps, 20) << "the whole window lies after the growth";
    const auto retrying = [](int index) {
        return MemoryMark{.peakAllocated = 1, .peakReserved = 5, .allocRetries = index};
    };
    EXPECT_EQ(courseOf([](int) { return 0.05; }, retrying).verdict, false);
}

// Steps of seconds: the budget ends before there is anything to test, and that is no evidence.
TEST(SteadyStateTest, tooFewStepsToTestAreNoObjection)
{
    Noise noise(6);
    const Course course = courseOf([&](int index) { return (index == 0 ? 30 : 4) * noise.factor(0.1); });
    EXPECT_LE(course.warmupSteps, 3);
    EXPECT_EQ(course.verdict, std::nullopt);
    EXPECT_THAT(course.objections, IsEmpty());
}

/// Noise as shared machines make it, none of it a trend.
struct NoiseCase {
    const char* name;
    std::function<Steps(Noise&)> steps;
};

class StationaryNoiseTest : public testing::TestWithParam<NoiseCase> { };

// Fewer than one in a hundred runs may be flagged, and none may take for ever.
TEST_P(StationaryNoiseTest, isNoObjection)
{
    int flagged = 0;
    constexpr int kRuns = 400;
    for (int run = 0; run < kRuns; ++run) {
        Noise noise(static_cast<std::uint64_t>(run));
        flagged += courseOf(GetParam().steps(noise)).verdict == false ? 1 : 0;
    }
    EXPECT_LT(flagged, kRuns / 100);
}

// Stays in a state for `stay` steps on average, then draws again.
Steps bursts(Noise& noise, double quick, double slow, double slowShare, double stay)
{
    return [&noise, quick, slow, slowShare, stay, isSlow = false](int) mutable {
        if (noise.uniform() < 1 / stay)
            isSlow = noise.uniform() < slowShare;
        return (isSlow ? slow : quick) * noise.factor(0.1);
    };
}

INSTANTIATE_TEST_SUITE_P(Kinds, StationaryNoiseTest,
    testing::Values(
        NoiseCase{"quiet", [](Noise& noise) { return [&noise](int) { return 0.01 * noise.factor(0.02); }; }},
        NoiseCase{"wide", [](Noise& noise) { return [&noise](int) { return 0.03 * noise.factor(0.6); }; }},
        NoiseCase{"wideSlowSteps", [](Noise& noise) { return [&noise](int) { return 0.8 * noise.factor(0.5); }; }},
        NoiseCase{"bimodal", [](Noise& noise) { return bursts(noise, 5e-5, 0.03, 0.3, 1); }},
        NoiseCase{"bimodalInBursts", [](Noise& noise) { return bursts(noise, 5e-5, 0.03, 0.3, 8); }},
        NoiseCase{"halfAndHalf", [](Noise& noise) { return bursts(noise, 0.02, 0.04, 0.5, 20); }},
        NoiseCase{"slowHalfAndHalf", [](Noise& noise) { return bursts(noise, 0.4, 0.8, 0.5, 10); }}),
    [](const auto& test) { return std::string(test.param.name); });

} // namespace
} // namespace headroom::collectors
