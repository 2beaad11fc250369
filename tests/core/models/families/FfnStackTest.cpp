// SPDX-License-Identifier: Apache-2.0
#include "core/models/families/FfnStack.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/config/models/FfnStackFamily.h"
#include "tests/reference/ReferenceFill.h"
#include "tests/support/torch/Comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace headroom::models::ffn_stack_test {
namespace {

const at::TensorOptions kMeta = at::TensorOptions().device(at::kMeta);

config::ValueMap fields(const config::ValueMap& given)
{
    return config::ffnStackFamily().fields.complete(given, "model");
}

TEST(FfnStackTest, parametersAreNamedByLayer)
{
    const FfnStack stack(fields({{"num_layers", 2}, {"dim", 8}, {"mult", 2}}), kMeta);
    std::vector<std::string> names;
    for (const auto& parameter : stack.named_parameters())
        names.push_back(parameter.key());
    EXPECT_THAT(names,
        testing::UnorderedElementsAre("layers.0.net.0.proj.weight", "layers.0.net.0.proj.bias", "layers.0.net.2.weight",
            "layers.0.net.2.bias", "layers.1.net.0.proj.weight", "layers.1.net.0.proj.bias", "layers.1.net.2.weight",
            "layers.1.net.2.bias"));
}

TEST(FfnStackTest, onlyTheLastLayerHasTheOutputsWidth)
{
    const FfnStack stack(fields({{"num_layers", 3}, {"dim", 8}, {"dim_out", 5}}), kMeta);
    const auto parameters = stack.named_parameters();
    EXPECT_EQ(parameters["layers.0.net.2.weight"].size(0), 8);
    EXPECT_EQ(parameters["layers.1.net.2.bias"].size(0), 8);
    EXPECT_EQ(parameters["layers.2.net.2.weight"].size(0), 5);
    EXPECT_EQ(parameters["layers.2.net.2.bias"].size(0), 5);
}

TEST(FfnStackTest, parameterCountsAreTheCataloguesClosedForm)
{
    std::mt19937 random(4);
    const auto upTo = [&](int most) { return 1 + static_cast<std::int64_t>(random() % static_cast<unsigned>(most)); };
    for (int i = 0; i < 200; ++i) {
        const auto& kinds = config::activationKinds();
        config::ValueMap given{{"num_layers", upTo(6)}, {"dim", upTo(700)}, {"mult", upTo(8)},
            {"activation_fn", kinds[random() % kinds.size()]}, {"bias", random() % 2 == 0}};
        if (random() % 2 == 0)
            given["dim_out"] = upTo(700);
        const config::ValueMap complete = fields(given);
        const FfnStack stack(complete, kMeta.dtype(at::kBFloat16));
        EXPECT_EQ(parameterCount(stack), config::ffnStackFamily().parameters(complete));
        EXPECT_EQ(parameterBytes(stack), 2 * parameterCount(stack));
    }
}

TEST(FfnStackTest, runsItsLayersOneAfterTheOther)
{
    FfnStack stack(fields({{"num_layers", 3}, {"dim", 8}, {"dim_out", 5}}), onTestDevice(at::kDouble));
    reference::fillParameters(stack);
    const at::Tensor input = reference::filled({2, 3, 8}, reference::kHiddenSeed).to(at::kDouble);
    const auto layers = stack.feedForwards();
    ASSERT_EQ(layers.size(), 3U);
    const at::Tensor expected = layers[2]->forward(layers[1]->forward(layers[0]->forward(input)));
    const at::Tensor output = stack.forward({{"hidden_states", input}});
    EXPECT_EQ(output.sizes(), (std::vector<std::int64_t>{2, 3, 5}));
    EXPECT_TRUE(sameNumbers(output, expected));
}

TEST(FfnStackTest, inputsHaveTheWorkloadsShape)
{
    config::Configuration configuration = config::defaultConfiguration("ffn-stack-tiny", "");
    configuration.workload.shapes["batch"] = 3;
    configuration.workload.shapes["sequence_length"] = 5;
    const Inputs inputs = ffnStackInputs(configuration, onTestDevice(at::kDouble));
    ASSERT_EQ(inputs.size(), 1U);
    EXPECT_EQ(inputs.at("hidden_states").sizes(), (std::vector<std::int64_t>{3, 5, 16}));
    EXPECT_EQ(inputs.at("hidden_states").scalar_type(), at::kDouble);
}

} // namespace
} // namespace headroom::models::ffn_stack_test
