// SPDX-License-Identifier: Apache-2.0
//
// memory.saved_for_backward_bytes against the bytes per token and channel that follow from the layers.
#include "tests/profiling/comparisons/TrialRun.h"

#include <gtest/gtest.h>

namespace headroom::collectors::saved_for_backward_test {
namespace {

constexpr std::int64_t kLayers = 3;
constexpr std::int64_t kDim = 32;
constexpr std::int64_t kMult = 4;
constexpr std::int64_t kTokens = 2 * 24;

config::Trial training(const std::string& device, const std::string& activation, const std::string& step)
{
    return trialOf(device, {{"num_layers", kLayers}, {"dim", kDim}, {"mult", kMult}, {"activation_fn", activation}},
        {{"step", step}, {"dtype", "bfloat16"}, {"batch", 2}, {"sequence_length", 24}});
}

// In units of one [tokens, dim] tensor of two-byte numbers: each layer saves its input (the first one's is the batch,
// which does not count) and the given multiples of dim inside.
Bytes expected(std::int64_t innerTensors)
{
    return (kLayers - 1 + kLayers * kMult * innerTensors) * kTokens * kDim * 2;
}

TEST(SavedForBackwardTest, isWhatTheLayersSave)
{
    for (const char* device : {"cpu", "sim:cpu", "sim:t4"}) {
        // gelu: the projection and the activation. geglu: both halves of the projection (one storage of two), the
        // activated gate, the product.
        EXPECT_EQ(measured(training(device, "gelu", "forward_backward")).memory.savedForBackward, expected(2))
            << device;
        EXPECT_EQ(measured(training(device, "geglu", "forward_backward")).memory.savedForBackward, expected(4))
            << device;
    }
}

TEST(SavedForBackwardTest, isTheSameInTraining)
{
    EXPECT_EQ(measured(training("cpu", "gelu", "train")).memory.savedForBackward, expected(2));
}

TEST(SavedForBackwardTest, splittingAloneSavesNothing)
{
    for (const char* notation : {"4", "tokens:4"}) {
        config::Trial trial = training("cpu", "gelu", "forward_backward");
        split(trial, notation);
        EXPECT_GE(measured(trial).memory.savedForBackward.value_or(0), expected(2)) << notation;
    }
}

TEST(SavedForBackwardTest, doesNotApplyToInference)
{
    EXPECT_FALSE(measured(training("cpu", "gelu", "inference")).memory.savedForBackward);
}

} // namespace
} // namespace headroom::collectors::saved_for_backward_test
