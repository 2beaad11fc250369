// SPDX-License-Identifier: Apache-2.0
//
// The small Wan measured on the CPU against sim:cpu, and its parts that other families do not have.
#include "tests/profiling/comparisons/TechniqueComparison.h"
#include "tests/profiling/comparisons/TrialRun.h"
#include "tests/support/Configurations.h"

#include <gtest/gtest.h>

#include <cmath>

namespace headroom::collectors {
namespace {

using Techniques = std::map<std::string, std::string>;

struct Combination {
    const char* step;
    Techniques techniques;
};

const Combination kCombinations[]{
    {"inference", {}},
    {"inference", {{"casting", "e4m3"}, {"offload", "leaf"}}},
    {"inference", {{"casting", "e4m3:model"}, {"split_ffn", "tokens:2"}}},
    {"forward_backward", {{"checkpointing", "every:2"}, {"attention", "math"}}},
    {"train", {{"optimizer", "adamw"}}},
    {"train", {{"checkpointing", "all"}, {"split_ffn", "2:recompute"}, {"optimizer", "adamw:fused"}}},
    {"train", {{"trainable", "lora:4"}, {"casting", "e4m3"}, {"checkpointing", "all"}, {"offload", "block:1+stream"}}},
    {"train", {{"ema", "host:async"}, {"checkpointing", "ops"}, {"optimizer", "sgd:foreach"}}},
};

config::Configuration combined(const Combination& combination, const char* dtype)
{
    return configurationOf("wan-tiny", combination.techniques, {{"num_layers", 3}},
        {{"step", combination.step}, {"dtype", dtype}, {"frames", 9}, {"height", 96}, {"width", 112}});
}

TEST(WanComparisonTest, simulatedPeaksAreTheMeasuredOnes)
{
    for (const char* dtype : {"float32", "bfloat16"})
        for (const Combination& combination : kCombinations) {
            const ComparedCombination trial = compareCombination(combined(combination, dtype));
            const std::string name = trial.workload + ": " + trial.techniques + " " + trial.reason;
            ASSERT_GT(trial.measuredBytes, 0) << name;
            ASSERT_GT(trial.simulatedBytes, 0) << name;
            EXPECT_LE(std::abs(trial.relativeDifference()), 0.02)
                << name << ": measured " << trial.measuredBytes << ", simulated " << trial.simulatedBytes;
            EXPECT_EQ(trial.simulatedHostBytes, trial.measuredHostBytes) << name;
        }
}

} // namespace
} // namespace headroom::collectors
