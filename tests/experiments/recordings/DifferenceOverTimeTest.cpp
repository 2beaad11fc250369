// SPDX-License-Identifier: Apache-2.0
#include "experiments/comparison/DifferenceOverTime.h"

#include "experiments/comparison/PairsOverTime.h"
#include "tests/support/Checkout.h"

#include <gmock/gmock.h>

#include <random>

namespace headroom::experiments {
namespace {

using figures::Alignment;

/// A run whose memory is that of the points: a time and the bytes from then on.
RunTimeline runOf(std::vector<std::pair<std::int64_t, Bytes>> changes, std::int64_t lengthNs,
    std::vector<trace::PhaseSpan> phases = {})
{
    RunTimeline run;
    run.lengthNs = lengthNs;
    run.events = std::ssize(changes);
    run.phases = std::move(phases);
    run.points = [changes = std::move(changes)](const figures::TimeWindow& window) {
        std::vector<CurvePoint> points;
        for (const auto& [ns, bytes] : changes)
            if (ns >= window.beginNs && ns < window.endNs)
                points.push_back({ns, bytes, bytes, bytes});
        return points;
    };
    return run;
}

TEST(DifferenceOverTimeTest, aRunBesideItselfDoesNotDiffer)
{
    const RunTimeline run = runOf({{0, 10}, {3, 50}, {7, 20}}, 11, {{"forward", 0, 0, 7}, {"backward", 0, 7, 11}});
    for (const Alignment alignment : {Alignment::Start, Alignment::Stretched, Alignment::Steps, Alignment::Share}) {
        const DifferenceOverTime found = differenceOverTime(run, run, alignment, 4);
        EXPECT_EQ(found.whole.lengthNs, 11);
        EXPECT_EQ(found.aboveNs + found.belowNs, 0);
        EXPECT_EQ(found.whole.most->difference(), 0);
    }
}

TEST(DifferenceOverTimeTest, theLargestDifferencesAreFoundWhereTheyAre)
{
    const RunTimeline a = runOf({{0, 10}, {40, 100}, {60, 10}}, 100);
    const RunTimeline b = runOf({{0, 10}, {20, 70}, {50, 30}}, 100);
    const DifferenceOverTime found = differenceOverTime(a, b, Alignment::Start, 10);
    EXPECT_EQ(found.whole.most->difference(), 60);
    EXPECT_EQ(found.whole.most->aNs, 20);
    EXPECT_EQ(found.whole.most->bBytes, 70);
    EXPECT_EQ(found.whole.least->difference(), -70);
    EXPECT_EQ(found.whole.least->aNs, 50);
    EXPECT_EQ(found.aboveNs, 20 + 40); // 20 to 40, and from 60 on
    EXPECT_EQ(found.belowNs, 20);
    EXPECT_EQ(found.whole.average(), (60 * 20 - 30 * 10 - 70 * 10 + 20 * 40) / 100);
    ASSERT_EQ(found.stretches.size(), 10u);
    EXPECT_EQ(found.stretches[5].a->max, 100);
    EXPECT_EQ(found.stretches[5].difference->min, -70);
    EXPECT_EQ(found.parts.size(), 8u);
}

TEST(DifferenceOverTimeTest, phasesAreLaidOverEachOtherAndSummedUpByName)
{
    const RunTimeline a = runOf({{0, 10}, {10, 20}, {20, 10}, {30, 20}}, 40,
        {{"forward", 0, 0, 10}, {"backward", 0, 10, 20}, {"forward", 1, 20, 30}, {"backward", 1, 30, 40}});
    // As much in forward, which lasts longer, and 5 more in backward.
    const RunTimeline b = runOf({{0, 10}, {30, 25}, {40, 10}, {70, 25}}, 80,
        {{"forward", 0, 0, 30}, {"backward", 0, 30, 40}, {"forward", 1, 40, 70}, {"backward", 1, 70, 80}});
    EXPECT_EQ(bestAlignment(a, b), Alignment::Stretched);
    const DifferenceOverTime found = differenceOverTime(a, b, Alignment::Stretched, 8);
    ASSERT_EQ(found.parts.size(), 2u);
    EXPECT_EQ(found.parts[0].name, "forward");
    EXPECT_EQ(found.parts[0].most->difference(), 0);
    EXPECT_EQ(found.parts[1].name, "backward");
    EXPECT_EQ(found.parts[1].lengthNs, 20);
    EXPECT_EQ(found.parts[1].average(), 5);
    EXPECT_EQ(found.parts[1].most->aNs, 10);
    EXPECT_EQ(found.parts[1].most->bNs, 30);
    EXPECT_EQ(found.aboveNs, 20);
}

TEST(DifferenceOverTimeTest, nothingIsSaidWhereOnlyOneHasATrace)
{
    const RunTimeline a = runOf({{0, 10}}, 40);
    const RunTimeline b = runOf({{0, 30}}, 100);
    const DifferenceOverTime found = differenceOverTime(a, b, Alignment::Start, 10);
    EXPECT_EQ(found.whole.lengthNs, 40);
    EXPECT_EQ(found.aboveNs, 40);
    ASSERT_EQ(found.stretches.size(), 10u);
    EXPECT_TRUE(found.stretches[3].difference);
    EXPECT_FALSE(found.stretches[4].difference || found.stretches[4].a);
    EXPECT_EQ(found.stretches[9].b->max, 30);
}

TEST(DifferenceOverTimeTest, whatCannotBeAlignedByPhaseIsFromTheStart)
{
    const RunTimeline a = runOf({{0, 1}}, 40, {{"forward", 0, 0, 40}});
    const RunTimeline b = runOf({{0, 1}}, 40, {{"optimizer", 5, 0, 40}});
    EXPECT_FALSE(canAlign(a, b, Alignment::Stretched));
    EXPECT_FALSE(canAlign(a, b, Alignment::Steps));
    EXPECT_TRUE(canAlign(a, b, Alignment::Share));
    EXPECT_EQ(bestAlignment(a, b), Alignment::Start);
}

std::vector<std::pair<std::int64_t, Bytes>> randomChanges(std::mt19937& random, std::int64_t lengthNs)
{
    std::vector<std::pair<std::int64_t, Bytes>> changes{{0, 5}};
    while (true) {
        const std::int64_t ns = changes.back().first + 1 + static_cast<std::int64_t>(random() % 9);
        if (ns >= lengthNs)
            return changes;
        changes.emplace_back(ns, static_cast<Bytes>(random() % 100));
    }
}

Bytes valueAt(const std::vector<std::pair<std::int64_t, Bytes>>& changes, std::int64_t ns)
{
    Bytes value = 0;
    for (const auto& [at, bytes] : changes)
        value = at <= ns ? bytes : value;
    return value;
}

// The definition, nanosecond by nanosecond.
TEST(DifferenceOverTimeTest, randomCurvesGiveWhatEachMomentGives)
{
    std::mt19937 random(7);
    for (int round = 0; round < 50; ++round) {
        const auto changesA = randomChanges(random, 300);
        const auto changesB = randomChanges(random, 250);
        RunTimeline a = runOf(changesA, 300);
        a.events = round % 2 == 0 ? a.events : 9'000'000; // read in several pieces
        const DifferenceOverTime found = differenceOverTime(a, runOf(changesB, 250), Alignment::Start, 30);
        std::int64_t above = 0;
        Bytes most = -1'000;
        Bytes sum = 0;
        for (std::int64_t ns = 0; ns < 250; ++ns) {
            const Bytes difference = valueAt(changesB, ns) - valueAt(changesA, ns);
            above += difference > 0 ? 1 : 0;
            most = std::max(most, difference);
            sum += difference;
            const DifferenceStretch& stretch = found.stretches.at(static_cast<std::size_t>(ns / 10));
            EXPECT_LE(stretch.difference->min, difference);
            EXPECT_GE(stretch.difference->max, difference);
        }
        EXPECT_EQ(found.aboveNs, above);
        EXPECT_EQ(found.whole.most->difference(), most);
        EXPECT_DOUBLE_EQ(found.whole.byteNs, static_cast<double>(sum));
    }
}

TEST(DifferenceOverTimeTest, recordingsAreLaidOverEachOther)
{
    DeviceFit deviceFit(checkout("resources"));
    const auto side = [&](const std::string& name) {
        return runInFile(checkout("tests/fuzz/corpus/recording/" + name), deviceFit);
    };
    const ComparedRun a = side("protocol_4.pickle");
    const ComparedRun b = side("out_of_memory.pickle");
    ResultComparison found = compareResults(a.results, b.results);
    layOverTime(found, a, b, Alignment::Share, 100);
    ASSERT_TRUE(found.pairs.at(0).overTime);
    const DifferenceOverTime& overTime = *found.pairs[0].overTime;
    EXPECT_EQ(toText(overTime.alignment), "share");
    EXPECT_EQ(overTime.peakA.bytes, found.pairs[0].a.memory.peak.allocated);
    EXPECT_EQ(overTime.peakB.bytes, found.pairs[0].b.memory.peak.allocated);
    EXPECT_GT(overTime.whole.lengthNs, 0);
}

} // namespace
} // namespace headroom::experiments
