// SPDX-License-Identifier: Apache-2.0
//
// What a measured trial says of its numbers beside those of its baseline.
#include "tests/profiling/comparisons/TrialRun.h"

#include "tests/support/Configurations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headroom::collectors::baseline_comparison_test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

config::Trial tiny(const char* step, config::ValueMap fields = {}, config::ValueMap workload = {})
{
    fields.insert({{"num_layers", 2}, {"dim", 32}, {"activation_fn", "geglu"}});
    workload.insert({{"step", step}, {"batch", 2}, {"sequence_length", 16}});
    return trialOf("cpu", fields, workload);
}

void checkpointAll(config::Trial& trial)
{
    choose(trial.configuration, "checkpointing", "all");
}

TEST(BaselineComparisonTest, everyTrialWithATechniqueIsComparedAndABaselineIsNot)
{
    for (const char* step : {"inference", "forward_backward", "train"}) {
        config::Trial trial = tiny(step);
        EXPECT_FALSE(measured(trial).numerics) << step;
        split(trial, "4");
        const protocol::RepeatResult result = measured(trial);
        ASSERT_TRUE(result.numerics) << step;
        EXPECT_GT(*result.numerics->outputMaxAbs, 0.0) << "another order of summation";
        EXPECT_LT(*result.numerics->outputRelL2, 1e-5) << "from fresh weights, whatever training did to the others";
        EXPECT_EQ(result.numerics->loss.has_value(), std::string(step) != "inference");
        EXPECT_LT(result.numerics->gradNormRelDiff.value_or(0), 1e-5);
        EXPECT_THAT(result.diagnostics, IsEmpty());
    }
}

TEST(BaselineComparisonTest, theSameTrialGivesTheSameNumbers)
{
    config::Trial trial = tiny("train", {{"dropout", 0.1}}, {{"loss", "mse"}});
    split(trial, "4");
    EXPECT_TRUE(measured(trial).numerics == measured(trial).numerics);
}

// Weights, inputs, dropout masks and random targets are the same on both sides.
TEST(BaselineComparisonTest, whatComputesTheSameComparesEqual)
{
    for (const char* step : {"forward_backward", "train"}) {
        config::Trial trial =
            tiny(step, {{"dropout", 0.3}}, {{"loss", "mse"}, {"accumulate", 2}, {"clip_grad_norm", 0.01}});
        checkpointAll(trial);
        const auto numerics = measured(trial).numerics;
        ASSERT_TRUE(numerics);
        EXPECT_EQ(numerics->outputMaxAbs, 0.0);
        EXPECT_EQ(numerics->lossAbsDiff, 0.0);
        EXPECT_EQ(numerics->gradNormRelDiff, 0.0);
        EXPECT_GT(*numerics->gradNorm, 0.02) << "before clipping";
    }
}

TEST(BaselineComparisonTest, withoutItNothingElseChanges)
{
    for (const char* step : {"inference", "train"}) {
        config::Trial trial = tiny(step);
        trial.protocol.keepBaselineModel = true;
        split(trial, "4");
        protocol::RepeatResult with = measured(trial);
        const auto instruments = instrumentsOf(trial);
        SilentListener listener;
        TrialMeasurement measurement(trial, *instruments, listener);
        measurement.setComparison(Comparison::Off);
        const protocol::RepeatResult without = measurement.run();
        EXPECT_FALSE(without.numerics);
        EXPECT_EQ(with.memory.peak.allocated, without.memory.peak.allocated) << step;
        EXPECT_EQ(with.memory.wholeRunPeak.allocated, without.memory.wholeRunPeak.allocated) << step;
        EXPECT_EQ(with.memory.savedForBackward, without.memory.savedForBackward) << step;
        EXPECT_EQ(with.engagement, without.engagement) << step;
    }
}

TEST(BaselineComparisonTest, aBaselineThatDoesNotFitLeavesTheTrialWithoutComparison)
{
    config::Trial trial = tiny("inference", {{"activation_fn", "gelu"}});
    const Bytes baselineNeeds = peakOf(trial);
    split(trial, "4");
    trial.memoryLimitBytes = baselineNeeds - 1;
    const protocol::RepeatResult result = measured(trial);
    EXPECT_EQ(result.outcome, Outcome::Completed);
    EXPECT_FALSE(result.numerics);
    ASSERT_EQ(result.diagnostics.size(), 1U);
    EXPECT_THAT(result.diagnostics.front(), HasSubstr("no comparison with the baseline, which does not fit"));
}

TEST(BaselineComparisonTest, predictionsHaveNoValuesToCompare)
{
    config::Trial trial = tiny("forward_backward");
    split(trial, "4");
    trial.device = config::parseDevice("sim:cpu", "");
    EXPECT_FALSE(measured(trial).numerics);
}

} // namespace
} // namespace headroom::collectors::baseline_comparison_test
