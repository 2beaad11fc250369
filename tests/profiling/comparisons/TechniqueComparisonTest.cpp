// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/comparisons/TechniqueComparison.h"
#include "tests/core/config/TinyModels.h"
#include "tests/profiling/comparisons/TrialRun.h"
#include "tests/support/Configurations.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace headroom::collectors {
namespace {

TEST(TechniqueComparisonTest, everyFamilyIsSimulatedAsItIsMeasured)
{
    for (const config::Configuration& configuration : familyCombinations()) {
        const ComparedCombination trial = compareCombination(configuration);
        const std::string name = trial.model + ", " + trial.workload + ": " + trial.techniques + " " + trial.reason;
        ASSERT_GT(trial.measuredBytes, 0) << name;
        ASSERT_GT(trial.simulatedBytes, 0) << name;
        EXPECT_LE(std::abs(trial.relativeDifference()), 0.005)
            << name << ": measured " << trial.measuredBytes << ", simulated " << trial.simulatedBytes;
        EXPECT_EQ(trial.simulatedHostBytes, trial.measuredHostBytes) << name;
    }
}

// What layers give stays in the workload's type, whatever their weights are upcast to.
TEST(TechniqueComparisonTest, aTypeToComputeInChangesNoActivation)
{
    for (const std::string& model : tinyModels()) {
        const auto savedWith = [&](const char* compute) {
            config::Trial trial = trialOfModel(model, "sim:cpu", {}, {{"step", "train"}, {"dtype", "bfloat16"}});
            cast(trial, "e4m3", {{"compute_dtype", compute}, {"recompute_casts", true}});
            checkpoint(trial, "all");
            choose(trial.configuration, "trainable", "lora:2");
            return measured(trial).memory.savedForBackward.value_or(-1);
        };
        EXPECT_GT(savedWith("bfloat16"), 0) << model;
        EXPECT_EQ(savedWith("float32"), savedWith("bfloat16")) << model;
    }
}

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
