// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/comparisons/TrialRun.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace headroom::collectors::published_tables_test {
namespace {

// The published stack: 5 layers, dim 4096, mult 4, float32, batch 2, sequence 8192, no gradients. One tensor
// [tokens, dim] is 2 * 8192 * 4096 * 4 bytes.
constexpr Bytes kTensorBytes = 256 * kMiB;
constexpr const char* kDevice = "sim:a100-80gb@torch-2.5";

/// GiB of max_memory_allocated in huggingface/diffusers, pull request 10623.
struct PublishedRow {
    const char* activation;
    double plainGiB;
    double splitGiB;
};

constexpr PublishedRow kStack[]{
    {"gelu", 5.01, 4.26},
    {"gelu-approximate", 5.01, 4.26},
    {"geglu", 8.26, 6.01},
    {"geglu-approximate", 6.01, 4.51},
    {"swiglu", 8.26, 6.01},
    {"linear-silu", 5.01, 4.26},
};

double gibibytes(Bytes bytes)
{
    return static_cast<double>(bytes) / static_cast<double>(kGiB);
}

config::Trial stackTrial(const char* activation)
{
    config::Trial trial = trialOf(kDevice, {{"activation_fn", activation}}, {});
    trial.protocol.keepBaselineOutput = true;
    return trial;
}

class PublishedStackTest : public testing::TestWithParam<PublishedRow> { };

TEST_P(PublishedStackTest, plainPeakIsWithinOnePercent)
{
    const PublishedRow& row = GetParam();
    const protocol::RepeatResult result = measured(stackTrial(row.activation));
    ASSERT_EQ(result.outcome, Outcome::Completed) << result.reason;
    EXPECT_NEAR(gibibytes(*result.memory.peak.allocated) / row.plainGiB, 1.0, 0.01);
    EXPECT_TRUE(result.memory.harness.empty()) << "the plain run needs no output to compare with";
}

TEST_P(PublishedStackTest, splitPeakIsWithinOnePercentAndNamesTheKeptOutput)
{
    const PublishedRow& row = GetParam();
    config::Trial trial = stackTrial(row.activation);
    split(trial, "4", "out_of_place");
    const protocol::RepeatResult result = measured(trial);
    ASSERT_EQ(result.outcome, Outcome::Completed) << result.reason;
    EXPECT_NEAR(gibibytes(*result.memory.peak.allocated) / row.splitGiB, 1.0, 0.01);
    EXPECT_EQ(result.memory.harness, (std::vector<protocol::HarnessItem>{{"baseline output", kTensorBytes}}));
    EXPECT_EQ(result.engagement.at("split_ffn").at("slices_run"), 20);
}

// The published code keeps the previous slice's partial sum while the next slice runs.
TEST_P(PublishedStackTest, accumulatingInPlaceSavesExactlyThePartialSum)
{
    config::Trial trial = stackTrial(GetParam().activation);
    split(trial, "4", "out_of_place");
    const Bytes outOfPlace = peakOf(trial);
    split(trial, "4", "in_place");
    EXPECT_EQ(outOfPlace - peakOf(trial), kTensorBytes);
}

INSTANTIATE_TEST_SUITE_P(Activations, PublishedStackTest, testing::ValuesIn(kStack), [](const auto& test) {
    std::string name = test.param.activation;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

// One gelu layer, the plain and the split module both resident with weights of their own; max_memory_reserved.
TEST(PublishedReproducerTest, reservedIsWithinOnePercent)
{
    const Bytes weights = (Bytes{2} * 4096 * 16384 + 16384 + 4096) * 4;
    config::Trial trial = trialOf(kDevice, {{"activation_fn", "gelu"}, {"num_layers", 1}}, {});
    trial.protocol.keepBaselineOutput = true;
    trial.protocol.keepBaselineModel = true;
    const protocol::RepeatResult plain = measured(trial);
    EXPECT_NEAR(gibibytes(plain.memory.peak.reserved.value()) / 3.271, 1.0, 0.01);
    EXPECT_EQ(plain.memory.harness, (std::vector<protocol::HarnessItem>{{"second model's weights", weights}}));

    split(trial, "4");
    const protocol::RepeatResult cut = measured(trial);
    EXPECT_NEAR(gibibytes(cut.memory.peak.reserved.value()) / 2.271, 1.0, 0.01);
    EXPECT_EQ(cut.memory.harness,
        (std::vector<protocol::HarnessItem>{{"second model's weights", weights}, {"baseline output", kTensorBytes}}));
}

} // namespace
} // namespace headroom::collectors::published_tables_test
