// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/comparisons/LtxComparison.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace headroom::collectors {
namespace {

TEST(LtxComparisonTest, simulatedPeaksAreTheMeasuredOnesUnderEveryPolicy)
{
    std::vector<double> differences;
    for (const LtxComparedTrial& trial : compareLtx(2026, 1)) {
        const std::string name = trial.policy + ", " + trial.step + ", " + trial.dtype + ", " + trial.shape;
        ASSERT_GT(trial.measuredBytes, 0) << name;
        ASSERT_GT(trial.simulatedBytes, 0) << name;
        EXPECT_LE(std::abs(trial.relativeDifference()), 0.02) << name << ": measured " << trial.measuredBytes;
        differences.push_back(std::abs(trial.relativeDifference()));
    }
    ASSERT_EQ(differences.size(), 28U);
    std::nth_element(differences.begin(), differences.begin() + 14, differences.end());
    EXPECT_LE(differences[14], 0.005);
}

} // namespace
} // namespace headroom::collectors
