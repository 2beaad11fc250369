// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/collectors/TechniqueComparison.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace headroom::collectors {
namespace {

TEST(TechniqueComparisonTest, simulatedPeaksAreTheMeasuredOnesForRandomCombinations)
{
    std::vector<double> differences;
    for (const ComparedCombination& trial : compareCombinations(2026, 30)) {
        const std::string name = trial.model + ", " + trial.workload + ": " + trial.techniques + " " + trial.reason;
        ASSERT_GT(trial.measuredBytes, 0) << name;
        ASSERT_GT(trial.simulatedBytes, 0) << name;
        EXPECT_LE(std::abs(trial.relativeDifference()), 0.02) << name << ": measured " << trial.measuredBytes;
        EXPECT_EQ(trial.simulatedHostBytes, trial.measuredHostBytes) << name;
        differences.push_back(std::abs(trial.relativeDifference()));
    }
    std::ranges::nth_element(differences, differences.begin() + 15);
    EXPECT_LE(differences[15], 0.005);
}

} // namespace
} // namespace headroom::collectors
