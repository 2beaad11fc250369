// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/comparisons/CpuComparison.h"

#include <gtest/gtest.h>

#include <cmath>

namespace headroom::collectors {
namespace {

void expectWithinOnePercent(const std::vector<ComparedTrial>& trials)
{
    double worst = 0;
    for (const ComparedTrial& trial : trials) {
        const std::string name =
            trial.activation + ", " + trial.splitFfn + ", " + trial.step + ", " + trial.dtype + ", " + trial.shape;
        ASSERT_GT(trial.measuredBytes, 0) << name;
        ASSERT_GT(trial.simulatedBytes, 0) << name;
        EXPECT_LE(std::abs(trial.relativeDifference()), 0.01) << name << ": measured " << trial.measuredBytes;
        worst = std::max(worst, std::abs(trial.relativeDifference()));
    }
    testing::Test::RecordProperty("worst_relative_difference", std::to_string(worst));
}

TEST(CpuComparisonTest, simulatedInferencePeaksAreTheMeasuredOnes)
{
    const auto trials = compareInference(2025);
    EXPECT_EQ(trials.size(), 72U);
    expectWithinOnePercent(trials);
}

TEST(CpuComparisonTest, simulatedTrainingPeaksAreTheMeasuredOnes)
{
    expectWithinOnePercent(compareTraining(2025));
}

} // namespace
} // namespace headroom::collectors
