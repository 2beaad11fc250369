// SPDX-License-Identifier: Apache-2.0
//
// Slices that are recomputed in the backward pass: the same numbers as slices that are saved, and less memory.
#include "core/config/models/FfnStackFamily.h"
#include "core/memory/MetaMemory.h"
#include "core/recompute/SavedTensorCounter.h"
#include "tests/core/memory/RecordingBackend.h"
#include "tests/core/techniques/split_ffn/SplitLayer.h"
#include "tests/support/torch/Comparison.h"

#include <gtest/gtest.h>

namespace headroom::techniques::split_ffn_recompute_test {
namespace {

constexpr auto kChannels = config::SplitFfnNotation::Axis::Channels;

std::vector<at::Tensor> trained(models::FeedForward& layer, const at::Tensor& input)
{
    layer.zero_grad();
    at::manual_seed(11);
    at::Tensor leaf = input.clone().requires_grad_();
    const at::Tensor output = layer.forward(leaf);
    output.square().mean().backward();
    std::vector<at::Tensor> result{output.detach(), leaf.grad()};
    for (const at::Tensor& parameter : layer.parameters())
        if (parameter.requires_grad())
            result.push_back(parameter.grad().clone());
    return result;
}

void expectBitEqual(models::FeedForward& layer, const at::Tensor& input, const Cut& saved)
{
    layer.setExecution(executionOf(saved));
    const auto expected = trained(layer, input);
    Cut cut = saved;
    cut.activations = SliceActivations::Recomputed;
    layer.setExecution(executionOf(cut));
    const auto found = trained(layer, input);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_TRUE(sameNumbers(found[i], expected[i])) << textOf(cut) << ", tensor " << i;
}

TEST(SplitFfnRecomputeTest, isBitEqualToSavedSlices)
{
    for (const std::string& kind : config::activationKinds())
        for (const c10::ScalarType type : {at::kFloat, at::kDouble, at::kBFloat16}) {
            at::manual_seed(71);
            const auto layer = randomLayer(
                {.dim = 12, .dimOut = 10, .inner = 48, .activation = models::activationFromName(kind), .dropout = 0.25},
                type);
            const at::Tensor input = at::randn({2, 9, 12}, onTestDevice(type));
            for (const Accumulate accumulate : kAccumulations)
                for (const std::int64_t slices : {1, 4, 48})
                    expectBitEqual(*layer, input, {kChannels, slices, accumulate});
        }
}

// What is frozen changes what each op saves, and with it where a slice's repetition ends.
TEST(SplitFfnRecomputeTest, weightsMayBeFrozen)
{
    for (const char* trainable : {"net.0.proj.weight", "net.0.proj.bias", "net.2.weight", "net.2.bias"}) {
        at::manual_seed(73);
        const auto layer = randomLayer({.dim = 8, .dimOut = 8, .inner = 32}, at::kDouble);
        for (const auto& parameter : layer->named_parameters())
            at::Tensor(parameter.value()).requires_grad_(parameter.key() == trainable);
        for (const Accumulate accumulate : kAccumulations)
            expectBitEqual(*layer, at::randn({6, 8}, onTestDevice(at::kDouble)), {kChannels, 4, accumulate});
    }
}

TEST(SplitFfnRecomputeTest, theLayerKeepsItsInputAlone)
{
    for (const Accumulate accumulate : kAccumulations) {
        const auto layer = randomLayer({.dim = 8, .dimOut = 6, .inner = 32}, at::kFloat);
        layer->setExecution(executionOf({kChannels, 4, accumulate, SliceActivations::Recomputed}));
        tensor::SavedTensorCounter counter;
        const tensor::SavedTensorHookScope hooks(counter);
        const at::Tensor output = layer->forward(at::randn({10, 8}, onTestDevice()).requires_grad_());
        EXPECT_EQ(counter.heldBytes(layer->parameters()), 10 * 8 * 4);
    }
}

/// Peak of what one layer's step needs beside its weights.
Bytes peakOf(SliceActivations activations, std::int64_t slices)
{
    const auto backend = std::make_shared<tensor::RecordingBackend>();
    const tensor::MetaMemory scope(backend);
    const auto meta = at::TensorOptions().device(at::kMeta).dtype(at::kFloat);
    const models::FeedForwardOptions options{
        .dim = 8, .dimOut = 8, .inner = 32, .activation = models::Activation::Gelu};
    models::FeedForward layer(options, meta);
    layer.setExecution(executionOf({kChannels, slices, Accumulate::InPlace, activations}));
    const at::Tensor input = at::empty({4096, 8}, meta).requires_grad_();
    backend->restart();
    const Bytes before = backend->liveBytes();
    layer.forward(input).sum().backward();
    return backend->peakBytes() - before;
}

// With X the bytes of the input: saved slices keep 8 X of projections and activations until the backward pass has used
// them; recomputed ones hold 8 X / N of one slice at a time.
TEST(SplitFfnRecomputeTest, theBackwardHoldsOneSliceAtATime)
{
    const Bytes x = 4096 * 8 * 4;
    EXPECT_GE(peakOf(SliceActivations::Saved, 8), 8 * x);
    const Bytes four = peakOf(SliceActivations::Recomputed, 4), eight = peakOf(SliceActivations::Recomputed, 8);
    EXPECT_LT(four, 6 * x);
    EXPECT_LT(eight, 5 * x);
    EXPECT_LT(eight, four);
}

} // namespace
} // namespace headroom::techniques::split_ffn_recompute_test
