// SPDX-License-Identifier: Apache-2.0
#include "core/config/models/FfnStackFamily.h"
#include "tests/core/techniques/split_ffn/SplitLayer.h"
#include "tests/support/torch/TestDevice.h"

#include <gtest/gtest.h>

namespace headroom::techniques::split_ffn_adapters_test {
namespace {

using Axis = config::SplitFfnNotation::Axis;

/// Which of a feed-forward's Linears has an adapter.
enum class Adapted { Projection, Output, Both };

// A frozen layer with adapters whose B is not zero.
std::unique_ptr<models::FeedForward> adaptedLayer(
    models::Activation activation, Adapted adapted, c10::ScalarType type, double dropout = 0)
{
    auto layer = randomLayer({.dim = 6, .dimOut = 9, .inner = 24, .activation = activation}, type);
    for (at::Tensor parameter : layer->parameters())
        parameter.requires_grad_(false);
    for (const auto& item : layer->named_modules(std::string(), false)) {
        auto* linear = dynamic_cast<models::Linear*>(item.value().get());
        const bool isOutput = item.key() == "net.2";
        if (linear == nullptr || adapted == (isOutput ? Adapted::Projection : Adapted::Output))
            continue;
        linear->adapt({3, 0.75, dropout}, onTestDevice(type));
        const torch::NoGradGuard noGradients;
        linear->adapter()->b->weight.normal_(0, 0.3);
    }
    return layer;
}

/// Output and gradients of the input and of all that is trained.
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
    for (const Accumulate accumulate : kAccumulations) {
        for (const std::int64_t slices : {1, 4}) {
            result.push_back({Axis::Channels, slices, accumulate, SliceActivations::Saved});
            result.push_back({Axis::Channels, slices, accumulate, SliceActivations::Recomputed});
            result.push_back({Axis::Tokens, slices, accumulate, SliceActivations::Saved});
        }
    }
    return result;
}

// Sums of at most 24 + 6 + 9 + 8 terms in another order: 8 u sqrt(47) as in SplitFfnNumericsTest, and the adapters'
// sums over the rank on top, which are shorter.
TEST(SplitFfnAdaptersTest, slicesOfAnAdaptedLayerGiveWhatThePlainOneGives)
{
    requireValues();
    at::manual_seed(43);
    for (const c10::ScalarType type : {at::kDouble, at::kFloat})
        for (const std::string& kind : config::activationKinds())
            for (const Adapted adapted : {Adapted::Projection, Adapted::Output, Adapted::Both}) {
                const auto layer = adaptedLayer(models::activationFromName(kind), adapted, type);
                const at::Tensor input = at::randn({2, 4, 6}, onTestDevice(type));
                layer->setExecution(nullptr);
                const auto plain = trained(*layer, input);
                const double tolerance = 16 * (type == at::kDouble ? 0x1p-53 : 0x1p-24) * std::sqrt(47.0);
                for (const Cut& cut : cuts()) {
                    layer->setExecution(executionOf(cut));
                    const auto split = trained(*layer, input);
                    ASSERT_EQ(split.size(), plain.size());
                    for (const auto& [name, expected] : plain)
                        EXPECT_LE(relativeL2(split.at(name), expected), tolerance)
                            << name << ", " << kind << ", " << textOf(cut);
                    const torch::NoGradGuard noGradients;
                    EXPECT_LE(relativeL2(layer->forward(input), plain.at("output")), tolerance)
                        << "inference, " << kind << ", " << textOf(cut);
                }
            }
}

TEST(SplitFfnAdaptersTest, leavingTheAdaptersOutWouldBeNoticed)
{
    requireValues();
    at::manual_seed(47);
    for (const Adapted adapted : {Adapted::Projection, Adapted::Output}) {
        const auto layer = adaptedLayer(models::Activation::Geglu, adapted, at::kDouble);
        const at::Tensor input = at::randn({2, 4, 6}, onTestDevice(at::kDouble));
        const at::Tensor output = layer->forward(input);
        const torch::NoGradGuard noGradients;
        const models::Linear& linear = adapted == Adapted::Output ? layer->output() : layer->projection();
        linear.adapter()->b->weight.zero_();
        EXPECT_GT(relativeL2(layer->forward(input), output), 1e-2);
    }
}

// Of two equal masks the outputs are equal: the projection's adapter draws once for all slices, as in one piece.
TEST(SplitFfnAdaptersTest, theProjectionsAdapterDropsTheSameInputForAllSlices)
{
    requireValues();
    const auto layer = adaptedLayer(models::Activation::Geglu, Adapted::Projection, at::kDouble, 0.5);
    layer->train();
    const at::Tensor input = at::randn({2, 4, 6}, onTestDevice(at::kDouble));
    const auto outputOf = [&](std::unique_ptr<models::FeedForwardExecution> execution) {
        layer->setExecution(std::move(execution));
        at::manual_seed(53);
        return trained(*layer, input);
    };
    const auto plain = outputOf(nullptr);
    for (const SliceActivations activations : {SliceActivations::Saved, SliceActivations::Recomputed}) {
        const auto split = outputOf(executionOf({Axis::Channels, 4, Accumulate::InPlace, activations}));
        for (const auto& [name, expected] : plain)
            EXPECT_LE(relativeL2(split.at(name), expected), 1e-12) << name;
    }
}

} // namespace
} // namespace headroom::techniques::split_ffn_adapters_test
