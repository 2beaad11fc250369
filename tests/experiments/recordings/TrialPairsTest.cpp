// SPDX-License-Identifier: Apache-2.0
#include "experiments/comparison/TrialPairs.h"

#include "experiments/comparison/ComparedRun.h"
#include "experiments/comparison/ComparedSide.h"
#include "tests/support/Checkout.h"

#include <gmock/gmock.h>

namespace headroom::experiments {
namespace {

TrialResult resultOf(const std::string& id, Bytes peak, double stepsPerSecond)
{
    TrialResult result;
    result.trialId = id;
    result.label = id;
    result.device = "sim:t4";
    result.isPredicted = true;
    result.outcome = Outcome::Completed;
    result.memory.peak.reserved = peak;
    result.memory.peak.allocated = peak / 2;
    result.speed.stepsPerSecond = stepsPerSecond;
    return result;
}

PairVerdict verdictFor(const TrialResult& a, const TrialResult& b, std::optional<double> tolerance = std::nullopt)
{
    return compareResults({a}, {b}, tolerance).pairs.at(0).verdict;
}

TrialResult measuredResultOf(double stepsPerSecond, const Interval& stepSeconds95)
{
    TrialResult result = resultOf("x", kGiB, stepsPerSecond);
    result.isPredicted = false;
    result.speed.stepSeconds95 = stepSeconds95;
    return result;
}

TEST(TrialPairsTest, verdictsSayWhatBIsBesideA)
{
    const TrialResult base = resultOf("x", kGiB, 2.0);
    EXPECT_EQ(verdictFor(base, base), PairVerdict::Same);
    EXPECT_EQ(verdictFor(base, resultOf("x", kGiB + 1, 2.0)), PairVerdict::Same);
    EXPECT_EQ(verdictFor(base, resultOf("x", 2 * kGiB, 2.0)), PairVerdict::Worse);
    EXPECT_EQ(verdictFor(base, resultOf("x", kGiB / 2, 2.0)), PairVerdict::Better);
    EXPECT_EQ(verdictFor(base, resultOf("x", kGiB, 1.5)), PairVerdict::Worse);
    EXPECT_EQ(verdictFor(base, resultOf("x", kGiB / 2, 1.5)), PairVerdict::Differs);
    TrialResult failed = base;
    failed.outcome = Outcome::OutOfMemory;
    EXPECT_EQ(verdictFor(base, failed), PairVerdict::Worse);
    EXPECT_EQ(verdictFor(failed, base), PairVerdict::Better);
    TrialResult unknown = base;
    unknown.memory.peak = {};
    EXPECT_EQ(verdictFor(base, unknown), PairVerdict::CannotTell);
}

TEST(TrialPairsTest, aToleranceSaysFromWhereOnAResultIsWorse)
{
    const auto verdict = [](Bytes peak, double stepsPerSecond) {
        return verdictFor(resultOf("x", 1000 * kMiB, 2.0), resultOf("x", peak, stepsPerSecond), 0.02);
    };
    EXPECT_EQ(verdict(1020 * kMiB, 1.97), PairVerdict::Same);
    EXPECT_EQ(verdict(1021 * kMiB, 2.0), PairVerdict::Worse);
    EXPECT_EQ(verdict(1000 * kMiB, 1.95), PairVerdict::Worse);
    EXPECT_EQ(verdict(979 * kMiB, 2.0), PairVerdict::Better);
    EXPECT_EQ(verdict(1021 * kMiB, 3.0), PairVerdict::Worse) << "a gain does not excuse a loss";
    const TrialResult a = measuredResultOf(2.0, {0.49, 0.51});
    const TrialResult b = measuredResultOf(1.9, {0.515, 0.535});
    EXPECT_EQ(verdictFor(a, b), PairVerdict::Worse);
    EXPECT_EQ(verdictFor(a, b, 0.02), PairVerdict::Same) << "1 % slower at least";
}

TEST(TrialPairsTest, aMeasuredSpeedDiffersWhereItsIntervalSaysSo)
{
    const TrialResult a = measuredResultOf(2.0, {0.45, 0.55});
    EXPECT_EQ(verdictFor(a, measuredResultOf(1.8, {0.50, 0.60})), PairVerdict::Same);
    EXPECT_EQ(verdictFor(a, measuredResultOf(1.8, {0.56, 0.60})), PairVerdict::Worse);
}

TEST(TrialPairsTest, resultsAreMatchedByIdAndChangesComeFirst)
{
    const ResultComparison found =
        compareResults({resultOf("same", kGiB, 1), resultOf("worse", kGiB, 1), resultOf("gone", kGiB, 1)},
            {resultOf("worse", 3 * kGiB, 1), resultOf("new", kGiB, 1), resultOf("same", kGiB, 1)});
    ASSERT_EQ(found.pairs.size(), 2u);
    EXPECT_EQ(found.pairs[0].a.trialId, "worse");
    EXPECT_EQ(found.pairs[0].difference(), 2 * kGiB);
    EXPECT_THAT(found.pairs[0].text, testing::HasSubstr("2.00 GiB more"));
    EXPECT_EQ(found.onlyInA.at(0).trialId, "gone");
    EXPECT_EQ(found.onlyInB.at(0).trialId, "new");
}

TEST(TrialPairsTest, recordingsAreSidesToo)
{
    DeviceFit deviceFit(checkout("resources"));
    const auto side = [&](const std::string& name) {
        return resultsInFile(checkout("tests/fuzz/corpus/recording/" + name), deviceFit);
    };
    const ResultComparison found = compareResults(side("protocol_4.pickle"), side("out_of_memory.pickle"));
    ASSERT_EQ(found.pairs.size(), 1u);
    EXPECT_EQ(found.pairs[0].verdict, PairVerdict::Worse);
    EXPECT_EQ(found.pairs[0].peakA, 50 * kMiB);
    EXPECT_EQ(compareResults(side("two_devices.pickle"), side("two_devices.pickle")).pairs.size(), 2u);
}

Bytes sumOf(const std::vector<NamedDifference>& differences)
{
    Bytes sum = 0;
    for (const NamedDifference& one : differences)
        sum += one.difference();
    return sum;
}

// 6 MiB of weights and 30 of an activation on one side, the same and 4 MiB of a graph's pool on the other.
TEST(TrialPairsTest, whatHoldsADifferenceIsNamedByCategoryAndCall)
{
    DeviceFit deviceFit(checkout("resources"));
    const auto side = [&](const std::string& name) {
        return runInFile(checkout("tests/fuzz/corpus/recording/" + name), deviceFit);
    };
    const ComparedRun a = side("expandable.pickle");
    const ComparedRun b = side("out_of_memory.pickle");
    ResultComparison found = compareResults(a.results, b.results);
    explainPeaks(found, a, b);
    ASSERT_TRUE(found.pairs.at(0).atPeaks);
    const PeakExplanation& why = *found.pairs[0].atPeaks;
    ASSERT_EQ(why.categories.size(), 2u);
    EXPECT_EQ(why.categories[0].name, "saved_activations");
    EXPECT_EQ(why.categories[0].difference(), 30 * kMiB);
    EXPECT_EQ(why.categories[1].name, "unknown");
    EXPECT_EQ(sumOf(why.categories), 0); // both hold 36 MiB
    EXPECT_EQ(sumOf(why.frames), 0);
    ASSERT_EQ(why.frames.size(), 2u);
    EXPECT_EQ(why.frames[0].name, "train.py:31 step");
    EXPECT_EQ(why.frames[1].name, "train.py:40 mystery");
    ASSERT_EQ(found.pairs[0].settings.size(), 1u);
    EXPECT_EQ(found.pairs[0].settings[0].key, "allocator");
    EXPECT_EQ(found.pairs[0].settings[0].a, "expandable_segments:True");
}

TEST(TrialPairsTest, whatIsTheSameIsNotExplained)
{
    DeviceFit deviceFit(checkout("resources"));
    const ComparedRun run = runInFile(checkout("tests/fuzz/corpus/recording/protocol_4.pickle"), deviceFit);
    ResultComparison found = compareResults(run.results, run.results);
    explainPeaks(found, run, run);
    EXPECT_FALSE(found.pairs.at(0).atPeaks);
}

TEST(TrialPairsTest, environmentsDifferByTheirKeys)
{
    const OrderedJson a{{"host", "one"}, {"cpus", 2}, {"variables", {{"A", "1"}}}};
    const OrderedJson b{{"host", "two"}, {"cpus", 2}, {"variables", {{"A", "1"}, {"B", "x"}}}};
    const auto differences = environmentDifferences(a, b);
    ASSERT_EQ(differences.size(), 2u);
    EXPECT_EQ(differences[0].key, "host");
    EXPECT_EQ(differences[0].b, "two");
    EXPECT_EQ(differences[1].key, "variables.B");
    EXPECT_EQ(differences[1].a, "");
    EXPECT_TRUE(environmentDifferences(nullptr, b).empty());
}

} // namespace
} // namespace headroom::experiments
