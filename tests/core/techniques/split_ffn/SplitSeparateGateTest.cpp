// SPDX-License-Identifier: Apache-2.0
//
// Feed-forwards whose value and gate have a Linear each, as language models have them, cut in every way.
#include "tests/core/techniques/split_ffn/SplitLayer.h"
#include "tests/support/torch/Comparison.h"

#include <gtest/gtest.h>

namespace headroom::techniques::split_separate_gate_test {
namespace {

using models::Activation;
using Axis = config::SplitFfnNotation::Axis;

constexpr Activation kGated[]{Activation::Geglu, Activation::Swiglu, Activation::GegluTanh};

models::FeedForwardOptions joined(Activation activation, models::Bias bias)
{
    return {.dim = 6, .dimOut = 9, .inner = 24, .activation = activation, .bias = bias};
}

models::FeedForwardOptions separate(Activation activation, models::Bias bias)
{
    models::FeedForwardOptions options = joined(activation, bias);
    options.separateGate = models::SeparateGate{"gate_proj", "up_proj", "down_proj"};
    return options;
}

std::map<std::string, at::Tensor> trained(models::FeedForward& layer, const at::Tensor& input)
{
    layer.zero_grad();
    at::Tensor leaf = input.clone().requires_grad_();
    const at::Tensor output = layer.forward(leaf);
    output.square().mean().backward();
    std::map<std::string, at::Tensor> result{{"output", output.detach()}, {"input", leaf.grad()}};
    for (const auto& parameter : layer.named_parameters())
        if (parameter.value().requires_grad())
            result[parameter.key()] = parameter.value().grad().clone();
    return result;
}

std::vector<Cut> cuts()
{
    std::vector<Cut> result;
    for (const Accumulate accumulate : kAccumulations)
        for (const std::int64_t slices : {1, 4}) {
            result.push_back({Axis::Channels, slices, accumulate, SliceActivations::Saved});
            result.push_back({Axis::Channels, slices, accumulate, SliceActivations::Recomputed});
            result.push_back({Axis::Tokens, slices, accumulate, SliceActivations::Saved});
        }
    return result;
}

void expectCutsToAgree(models::FeedForward& layer, const at::Tensor& input, const std::string& what)
{
    layer.setExecution(nullptr);
    const auto plain = trained(layer, input);
    for (const Cut& cut : cuts()) {
        layer.setExecution(executionOf(cut));
        const auto split = trained(layer, input);
        ASSERT_EQ(split.size(), plain.size()) << what;
        for (const auto& [name, expected] : plain)
            EXPECT_LE(relativeL2(split.at(name), expected), 1e-14) << what << ", " << name << ", " << textOf(cut);
        const torch::NoGradGuard noGradients;
        EXPECT_LE(relativeL2(layer.forward(input), plain.at("output")), 1e-14) << what << ", " << textOf(cut);
    }
    layer.setExecution(nullptr);
}

// The joined layer's first Linear has the value's rows, then the gate's.
TEST(SplitSeparateGateTest, isTheJoinedLayerWithItsRowsApart)
{
    requireValues();
    at::manual_seed(5);
    for (const Activation activation : kGated)
        for (const models::Bias bias : {models::Bias::Off, models::Bias::On}) {
            const auto together = randomLayer(joined(activation, bias), at::kDouble);
            models::FeedForward apart(separate(activation, bias), onTestDevice(at::kDouble));
            {
                const torch::NoGradGuard noGradients;
                auto own = apart.named_parameters();
                for (const auto& parameter : together->named_parameters()) {
                    const std::string kind = parameter.key().substr(parameter.key().rfind('.'));
                    if (parameter.key().starts_with("net.2")) {
                        own["down_proj" + kind].copy_(parameter.value());
                        continue;
                    }
                    own["up_proj" + kind].copy_(parameter.value().narrow(0, 0, 24));
                    own["gate_proj" + kind].copy_(parameter.value().narrow(0, 24, 24));
                }
            }
            const at::Tensor input = at::randn({2, 4, 6}, onTestDevice(at::kDouble));
            EXPECT_LE(relativeL2(apart.forward(input), together->forward(input)), 1e-14);
        }
}

TEST(SplitSeparateGateTest, slicesGiveWhatTheWholeGives)
{
    requireValues();
    at::manual_seed(7);
    for (const Activation activation : kGated)
        for (const models::Bias bias : {models::Bias::Off, models::Bias::On}) {
            const auto layer = randomLayer(separate(activation, bias), at::kDouble);
            expectCutsToAgree(*layer, at::randn({2, 4, 6}, onTestDevice(at::kDouble)), "bare");
        }
}

TEST(SplitSeparateGateTest, slicesOfAdaptedLinearsGiveWhatTheWholeGives)
{
    requireValues();
    at::manual_seed(11);
    const std::vector<std::vector<std::string>> adapted{
        {"gate_proj"}, {"up_proj"}, {"gate_proj", "up_proj"}, {"down_proj"}, {"gate_proj", "up_proj", "down_proj"}};
    for (const auto& names : adapted) {
        const auto layer = randomLayer(separate(Activation::Swiglu, models::Bias::Off), at::kDouble);
        for (at::Tensor parameter : layer->parameters())
            parameter.requires_grad_(false);
        for (const auto& item : layer->named_children())
            if (std::ranges::find(names, item.key()) != names.end()) {
                auto& linear = dynamic_cast<models::Linear&>(*item.value());
                linear.adapt({3, 0.75, 0}, onTestDevice(at::kDouble));
                const torch::NoGradGuard noGradients;
                linear.adapter()->b->weight.normal_(0, 0.3);
            }
        const at::Tensor input = at::randn({2, 4, 6}, onTestDevice(at::kDouble));
        expectCutsToAgree(*layer, input, names.front());
        const at::Tensor output = layer->forward(input);
        for (const models::Linear* linear : layer->projections())
            if (linear->adapter() != nullptr) {
                const torch::NoGradGuard noGradients;
                linear->adapter()->b->weight.zero_();
            }
        if (names.front() != "down_proj") {
            EXPECT_GT(relativeL2(layer->forward(input), output), 1e-2) << names.front();
        }
    }
}

TEST(SplitSeparateGateTest, slicesAreViewsOfBothLinears)
{
    const auto layer = randomLayer(separate(Activation::Swiglu, models::Bias::On), at::kDouble);
    const ChannelSlice slice = channelSlice(*layer, 2, 4);
    const auto parameters = layer->named_parameters();
    ASSERT_EQ(slice.projectionWeights.size(), 2U);
    EXPECT_TRUE(sameNumbers(slice.projectionWeights[0], parameters["up_proj.weight"].narrow(0, 12, 6)));
    EXPECT_TRUE(sameNumbers(slice.projectionWeights[1], parameters["gate_proj.weight"].narrow(0, 12, 6)));
    EXPECT_TRUE(sameNumbers(slice.projectionBiases[1], parameters["gate_proj.bias"].narrow(0, 12, 6)));
    EXPECT_TRUE(sameNumbers(slice.outputWeight, parameters["down_proj.weight"].narrow(1, 12, 6)));
    EXPECT_TRUE(slice.projectionWeights[1].is_alias_of(parameters["gate_proj.weight"]));
}

} // namespace
} // namespace headroom::techniques::split_separate_gate_test
