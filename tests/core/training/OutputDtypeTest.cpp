// SPDX-License-Identifier: Apache-2.0
//
// What a model hands on: its output as it is, or raised.
#include "core/models/families/ModelZoo.h"
#include "core/training/StepRunner.h"
#include "tests/support/Configurations.h"

#include <gmock/gmock.h>

namespace headroom::training::output_dtype_test {
namespace {

class NoObserver final : public StepObserver {
public:
    void phaseBegins(const std::string&, std::int64_t) override { }
    void phaseEnds(const std::string&, std::int64_t) override { }
};

StepOutput stepOf(const char* step, at::ScalarType type, const char* outputDtype, int chunks = 1)
{
    at::manual_seed(5);
    const config::Configuration configuration = configurationOf("llama-tiny");
    const auto model = models::buildModel(configuration, type);
    config::ValueMap values{{"step", step}, {"loss", "cross_entropy"}, {"output", "held"},
        {"output_dtype", outputDtype}, {"chunks", chunks}};
    NoObserver observer;
    return StepRunner(*model, {}, workloadOf("llama-tiny", values), models::makeInputs(configuration, type), observer)
        .run(0);
}

TEST(OutputDtypeTest, sixteenBitsAreRaisedAndTheLossIsTheSame)
{
    for (const char* step : {"inference", "forward_backward"}) {
        const StepOutput same = stepOf(step, at::kBFloat16, "same"), raised = stepOf(step, at::kBFloat16, "float32");
        EXPECT_EQ(same.output.scalar_type(), at::kBFloat16) << step;
        EXPECT_EQ(raised.output.scalar_type(), at::kFloat) << step;
        EXPECT_TRUE(at::equal(raised.output, same.output.to(at::kFloat))) << step;
        if (same.loss.defined()) {
            EXPECT_TRUE(at::equal(raised.loss, same.loss));
        }
    }
}

TEST(OutputDtypeTest, everyPieceIsRaised)
{
    for (const at::Tensor& piece : stepOf("forward_backward", at::kBFloat16, "float32", 3).chunks)
        EXPECT_EQ(piece.scalar_type(), at::kFloat);
    EXPECT_EQ(stepOf("forward_backward", at::kBFloat16, "float32", 3).chunks.size(), 3U);
}

TEST(OutputDtypeTest, nothingIsLowered)
{
    EXPECT_EQ(stepOf("forward_backward", at::kDouble, "float32").output.scalar_type(), at::kDouble);
    EXPECT_EQ(stepOf("forward_backward", at::kFloat, "float32").output.scalar_type(), at::kFloat);
}

} // namespace
} // namespace headroom::training::output_dtype_test
