// SPDX-License-Identifier: Apache-2.0
#include "profiling/measurement/ParityCheck.h"

#include "core/base/Error.h"
#include "core/config/catalogue/Catalogue.h"
#include "tests/core/config/TinyModels.h"
#include "tests/profiling/measurement/ParitySample.h"
#include "tests/support/Refusal.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <limits>
#include <map>

namespace headroom::collectors {
namespace {

using protocol::ParityResult;
using protocol::ParityTensor;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string failuresOf(const ParityResult& result)
{
    std::string text;
    for (const std::string& name : result.missing)
        text += " missing " + name;
    for (const std::string& name : result.unexpected)
        text += " unexpected " + name;
    for (const ParityTensor& tensor : result.tensors)
        if (!tensor.pass)
            text += " " + tensor.name + " " + std::to_string(tensor.relL2.value_or(-1));
    return text;
}

const ParityTensor& tensorOf(const ParityResult& result, const std::string& name)
{
    return *std::ranges::find(result.tensors, name, &ParityTensor::name);
}

class EveryFamilyParityTest : public testing::TestWithParam<std::string> { };

TEST_P(EveryFamilyParityTest, outputAndEveryGradientAgree)
{
    for (const c10::ScalarType stored : {at::kFloat, at::kDouble}) {
        ParitySample sample(GetParam(), stored);
        sample.expectGradients();
        const ParityResult result = sample.compare();
        EXPECT_TRUE(result.passes()) << stored << failuresOf(result);
        EXPECT_EQ(result.tensors.size(), sample.expected.size());
        EXPECT_GT(result.tensors.size(), sample.weights.size()) << "an output and a gradient of each weight";
    }
}

// Flux takes sines of a thousand times these: numbers that have no more than 8 bits then, as others would be rounded.
void takeExactTimes(ParitySample& sample)
{
    for (auto& [name, input] : sample.inputs)
        if (sample.trial.configuration.model == "flux-tiny" && (name == "timestep" || name == "guidance"))
            input.fill_(name == "timestep" ? 0.5 : 4.0);
}

// 8 bits of a number: a sum of many keeps about as much.
TEST_P(EveryFamilyParityTest, bfloat16AgreesAsFarAsItCan)
{
    ParitySample sample(GetParam(), at::kBFloat16);
    takeExactTimes(sample);
    sample.expectOutput();
    EXPECT_TRUE(sample.compare(3e-2).passes()) << failuresOf(sample.compare(3e-2));
    EXPECT_FALSE(sample.compare(1e-5).passes());
}

// No technique changes what is computed. Those that need more than a forward come with gradients.
TEST_P(EveryFamilyParityTest, everyTechniqueAgrees)
{
    const std::vector<std::pair<const char*, const char*>> techniques{{"checkpointing", "all"},
        {"checkpointing", "every:2"}, {"checkpointing", "ops"}, {"checkpointing", "all+offload"}, {"split_ffn", "2"},
        {"split_ffn", "2:recompute"}, {"split_ffn", "tokens:2"}, {"offload", "block:1"}, {"offload", "leaf"},
        {"offload", "leaf+stream"}, {"offload", "model"}, {"attention", "auto"}, {"attention", "flash"},
        {"ema", "device"}, {"ema", "host"}, {"optimizer", "adamw:foreach"}, {"loss_readback", "every_step"},
        {"input_transfer", "pageable"}};
    const bool hasAttention = config::findModel(GetParam(), "").family->hasAttention;
    for (const auto& [technique, notation] : techniques) {
        ParitySample sample(GetParam());
        if (std::string(technique) == "attention" && !hasAttention)
            continue;
        sample.set(technique, notation);
        sample.expectGradients();
        // Another kernel adds up in another order, which shows in gradients that are nearly nothing (a key's bias).
        const ParityResult result = sample.compare(std::string(technique) == "attention" ? 1e-4 : 1e-5);
        EXPECT_TRUE(result.passes()) << technique << " " << notation << failuresOf(result);
        EXPECT_NE(result.effective.at(technique), "off") << technique;
    }
}

// Those that leave the weights alone give the output, and no gradients of what is frozen.
TEST_P(EveryFamilyParityTest, frozenAndCastModelsAgreeInTheirOutput)
{
    ParitySample lora(GetParam());
    lora.set("trainable", "lora:2");
    lora.expectOutput();
    EXPECT_TRUE(lora.compare().passes()) << failuresOf(lora.compare());
    ParitySample cast(GetParam());
    cast.set("casting", "bf16");
    cast.expectOutput();
    EXPECT_TRUE(cast.compare(3e-2).passes()) << failuresOf(cast.compare(3e-2));
    EXPECT_FALSE(cast.compare(1e-5).passes());
    cast.set("casting", "e4m3");
    EXPECT_FALSE(cast.compare(1e-3).passes());
}

TEST_P(EveryFamilyParityTest, severalTechniquesTogetherAgree)
{
    ParitySample sample(GetParam());
    sample.set("checkpointing", "all");
    sample.set("split_ffn", "2:recompute");
    sample.set("offload", "block:1");
    sample.expectGradients();
    const ParityResult result = sample.compare();
    EXPECT_TRUE(result.passes()) << failuresOf(result);
}

// The number of each weight on which the output depends most: some, of tokens that are not there, have no part in it.
TEST_P(EveryFamilyParityTest, oneChangedNumberOfAnyWeightIsSeen)
{
    ParitySample sample(GetParam());
    sample.expectGradients();
    std::map<std::string, std::int64_t> places;
    for (const auto& [name, gradient] : sample.expected)
        places[name] = gradient.abs().argmax().item<std::int64_t>();
    sample.expected.resize(1);
    EXPECT_TRUE(sample.compare().passes());
    std::string unseen;
    for (auto& [name, weight] : sample.weights) {
        const at::Tensor kept = weight.clone();
        weight.view({-1})[places.at("grad." + name)] += 2.0;
        if (sample.compare().passes())
            unseen += " " + name;
        weight = kept;
    }
    EXPECT_EQ(unseen, "");
}

TEST_P(EveryFamilyParityTest, missingAndExtraWeightsAreNamedAndNothingIsRun)
{
    ParitySample sample(GetParam());
    sample.expectOutput();
    const std::string last = sample.weights.back().first;
    sample.weights.back().first = "extra";
    const ParityResult result = sample.compare();
    EXPECT_FALSE(result.passes());
    EXPECT_THAT(result.missing, ElementsAre(last));
    EXPECT_THAT(result.unexpected, ElementsAre("extra"));
    EXPECT_THAT(result.tensors, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Families, EveryFamilyParityTest, testing::ValuesIn(tinyModels()), [](const auto& given) {
    std::string name = given.param;
    std::ranges::replace_if(name, [](char c) { return c == '-' || c == '.'; }, '_');
    return name;
});

TEST(ParityCheckTest, aTransposedWeightFailsByItsShapeOrItsNumbers)
{
    ParitySample sample("ltx-video-tiny");
    sample.expectOutput();
    at::Tensor& square = sample.weight("transformer_blocks.0.attn1.to_q.weight");
    square = square.t();
    const ParityResult numbers = sample.compare();
    EXPECT_FALSE(numbers.passes());
    EXPECT_FALSE(tensorOf(numbers, "output").pass);
    square = square.t();
    sample.weight("proj_in.weight") = sample.weight("proj_in.weight").t();
    const ParityResult shapes = sample.compare();
    EXPECT_FALSE(shapes.passes());
    ASSERT_EQ(shapes.wrongShapes.size(), 1U);
    EXPECT_EQ(shapes.wrongShapes[0], (protocol::ParityShape{"proj_in.weight", {4, 16}, {16, 4}}));
}

TEST(ParityCheckTest, whatIsExpectedAndNotComputedIsMissing)
{
    ParitySample sample("ffn-stack-tiny");
    sample.expectGradients();
    sample.expected.emplace_back("grad.layers.9.net.2.bias", at::zeros({16}));
    sample.expected.emplace_back("grad_input.timestep", at::zeros({1}));
    sample.expected.emplace_back("output.1", at::zeros({1}));
    const ParityResult result = sample.compare();
    EXPECT_FALSE(result.passes());
    EXPECT_THAT(result.missing, ElementsAre("grad.layers.9.net.2.bias", "grad_input.timestep", "output.1"));
    EXPECT_TRUE(tensorOf(result, "output").pass);
}

TEST(ParityCheckTest, anotherShapeOfWhatIsExpectedFails)
{
    ParitySample sample("ffn-stack-tiny");
    sample.expectOutput();
    sample.expected[0].second = sample.expected[0].second.flatten();
    const ParityResult result = sample.compare();
    EXPECT_FALSE(result.passes());
    EXPECT_EQ(result.wrongShapes.at(0), (protocol::ParityShape{"output", {256}, {2, 8, 16}}));
    EXPECT_FALSE(result.tensors.at(0).relL2);
}

TEST(ParityCheckTest, differencesAreRelativeToWhatIsExpected)
{
    ParitySample sample("ffn-stack-tiny", at::kDouble);
    sample.expectOutput();
    sample.expected[0].second = sample.expected[0].second * 2;
    const ParityResult result = sample.compare();
    EXPECT_NEAR(result.tensors.at(0).relL2.value(), 0.5, 1e-6);
    EXPECT_FALSE(result.passes());
    EXPECT_TRUE(sample.compare(0.51).passes());
    const double largest = sample.expected[0].second.abs().max().item<double>() / 2;
    EXPECT_NEAR(result.tensors.at(0).maxAbs.value(), largest, 1e-6 * largest);
}

TEST(ParityCheckTest, whatIsNoNumberFailsHoweverLargeTheToleranceIs)
{
    ParitySample sample("ffn-stack-tiny");
    sample.expectOutput();
    sample.weight("layers.1.net.2.bias")[3] = std::numeric_limits<float>::quiet_NaN();
    const ParityResult result = sample.compare(1e30);
    EXPECT_FALSE(result.passes());
    EXPECT_FALSE(result.tensors.at(0).relL2);
}

TEST(ParityCheckTest, anExpectationOfZerosTakesZerosAlone)
{
    ParitySample sample("ffn-stack-tiny");
    for (auto& [name, weight] : sample.weights)
        weight = at::zeros_like(weight);
    sample.expectOutput();
    EXPECT_TRUE(sample.compare().passes());
    sample.weight("layers.1.net.2.bias")[3] = 1e-20;
    EXPECT_FALSE(sample.compare().passes());
}

TEST(ParityCheckTest, filledWeightsNeedNoFile)
{
    ParitySample sample("ltx-video-tiny");
    sample.expectOutput();
    sample.trial.configuration.modelFields[config::kWeightsField] = config::kFilledWeights;
    const ParityResult result = sample.compare(0.1);
    EXPECT_FALSE(result.passes());
    EXPECT_THAT(result.missing, IsEmpty());
    EXPECT_GT(tensorOf(result, "output").relL2.value(), 0.5);
}

TEST(ParityCheckTest, gradientsThatNothingCanHaveAreBadUsage)
{
    ParitySample sample("ffn-stack-tiny");
    sample.expectGradients();
    sample.set("casting", "e4m3");
    EXPECT_THAT(refusal([&] { sample.compare(); }),
        testing::AllOf(HasSubstr("needs a frozen base"), HasSubstr("the output alone can be compared")));
    sample.set("casting", "off");
    sample.set("trainable", "none");
    EXPECT_THAT(refusal([&] { sample.compare(); }), HasSubstr("trainable = none"));
}

// The inputs' own shapes decide, not those that a workload has by default: 14 tokens here, 16 there.
TEST(ParityCheckTest, shapesAreThoseOfTheInputs)
{
    ParitySample sample("ffn-stack-tiny");
    sample.inputs[0].second = at::randn({2, 7, 16});
    sample.expectGradients();
    sample.set("split_ffn", "tokens:7");
    EXPECT_TRUE(sample.compare().passes());
    sample.set("split_ffn", "tokens:4");
    EXPECT_THAT(refusal([&] { sample.compare(); }), HasSubstr("does not divide the 14 tokens"));
    sample.set("split_ffn", "tokens:4", {{"accumulate", "out_of_place"}});
    EXPECT_THAT(refusal([&] { sample.compare(); }), HasSubstr("does not divide the 14 tokens"));
}

TEST(ParityCheckTest, cardsThatAreNotThereComputeNothing)
{
    ParitySample sample("ffn-stack-tiny");
    sample.expectOutput();
    for (const std::string device : {"sim:t4", "rehearsal:t4"}) {
        sample.trial.device = config::parseDevice(device, "");
        EXPECT_THAT(refusal([&] { sample.compare(); }), HasSubstr(device + " computes nothing"));
    }
}

TEST(ParityCheckTest, anEmptyExpectationIsNone)
{
    ParitySample sample("ffn-stack-tiny");
    EXPECT_THAT(refusal<FileError>([&] { sample.compare(); }), HasSubstr("has no tensor \"output\""));
    sample.expected = {{"grad.layers.0.net.2.bias", at::zeros({16})}};
    EXPECT_THAT(refusal<FileError>([&] { sample.compare(); }), HasSubstr("has no tensor \"output\""));
}

} // namespace
} // namespace headroom::collectors
