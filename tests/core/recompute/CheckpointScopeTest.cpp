// SPDX-License-Identifier: Apache-2.0
#include "core/recompute/CheckpointScope.h"

#include "core/recompute/SavedTensorCounter.h"
#include "core/tensor/OpInterceptor.h"
#include "tests/core/recompute/CheckpointedForward.h"
#include "tests/support/torch/Comparison.h"

#include <gtest/gtest.h>

namespace headroom::tensor::checkpoint_scope_test {
namespace {

at::Tensor leaf(at::IntArrayRef sizes, c10::ScalarType type = at::kDouble)
{
    return at::randn(sizes, onTestDevice(type)).requires_grad_(true);
}

/// A layer that counts how often it is begun and ended.
struct CountingLayer {
    at::Tensor weight = leaf({6, 6});
    int begun = 0;
    int ended = 0;

    at::Tensor operator()(const at::Tensor& input)
    {
        ++begun;
        at::Tensor output = at::mm(at::silu(at::mm(input, weight)), weight).neg();
        ++ended;
        return output;
    }
    Forward forward()
    {
        return [this](const std::vector<at::Tensor>& in) { return (*this)(in[0]); };
    }
};

/// Gradient of `leaf` with respect to the mean of the squared output.
at::Tensor gradientOf(const at::Tensor& output, const at::Tensor& leaf)
{
    return torch::autograd::grad({output.square().mean()}, {leaf})[0];
}

TEST(CheckpointScopeTest, gradientsAreBitEqualInEveryDtype)
{
    for (const c10::ScalarType type : {at::kDouble, at::kFloat, at::kBFloat16}) {
        const at::Tensor input = leaf({8, 16}, type), weight = leaf({16, 16}, type), bias = leaf({16}, type);
        const Forward forward = [&](const std::vector<at::Tensor>& in) {
            return at::softmax(at::gelu(at::linear(in[0], weight, bias)) * in[0], -1).exp();
        };
        const std::vector<at::Tensor> leaves{input, weight, bias};
        const auto plain = torch::autograd::grad({forward({input}).square().mean()}, leaves);
        const auto rebuilt = torch::autograd::grad({checkpointed(forward, {input}).square().mean()}, leaves);
        for (std::size_t i = 0; i < leaves.size(); ++i)
            EXPECT_TRUE(sameNumbers(rebuilt[i], plain[i])) << type << ", leaf " << i;
    }
}

TEST(CheckpointScopeTest, theRegionRunsOnceMoreAndStopsAfterTheLastSavedTensor)
{
    CountingLayer layer;
    const at::Tensor input = leaf({4, 6});
    const at::Tensor output = checkpointed(layer.forward(), {input});
    EXPECT_EQ(layer.begun, 1);
    output.sum().backward();
    EXPECT_EQ(layer.begun, 2);
    EXPECT_EQ(layer.ended, 1) << "the second product saves before it runs; nothing after that is needed";
}

TEST(CheckpointScopeTest, opsAfterTheLastSavedTensorAreNotRunAgain)
{
    requireObservableBackward();
    struct Counter final : OpObserver {
        void before(const OpCall& call) override { ++counts[call.op.schema().name()]; }
        void after(const OpCall&) override { }
        std::map<std::string, int> counts;
    } counter;
    CountingLayer layer;
    OpInterceptor interceptor;
    interceptor.addObserver(counter);
    const OpInterceptor::Scope interception(interceptor);
    at::Tensor loss = checkpointed(layer.forward(), {leaf({4, 6})}).sum();
    counter.counts.clear();
    loss.backward();
    EXPECT_EQ(counter.counts["aten::silu"], 1);
    EXPECT_EQ(counter.counts["aten::mm"], 4 + 1) << "four of the backward formulas, one of the first product";
    EXPECT_EQ(counter.counts["aten::neg"], 1) << "the backward formula's own";
}

// What nobody needs any more is not waited for: here the branch that saves last is dropped.
TEST(CheckpointScopeTest, savedTensorsWhoseNodesAreGoneAreNotRebuilt)
{
    int reached = 0;
    const Forward forward = [&](const std::vector<at::Tensor>& in) {
        at::Tensor output = in[0].sin();
        ++reached;
        in[0].exp();
        return output;
    };
    const at::Tensor output = checkpointed(forward, {leaf({3})});
    output.sum().backward();
    EXPECT_EQ(reached, 1);
}

TEST(CheckpointScopeTest, withoutGradientsNothingHappens)
{
    const torch::NoGradGuard noGradients;
    SavedTensorCounter counter;
    const SavedTensorHookScope hooks(counter);
    CountingLayer layer;
    checkpointed(layer.forward(), {leaf({4, 6})});
    EXPECT_EQ(counter.heldBytes({}), 0);
    EXPECT_EQ(layer.begun, 1);
}

TEST(CheckpointScopeTest, aChainRunsEachRegionTwice)
{
    CountingLayer first, second;
    const at::Tensor input = leaf({4, 6});
    const at::Tensor plain = gradientOf(second(first(input)), input);
    first.begun = second.begun = 0;
    const at::Tensor output = checkpointed(second.forward(), {checkpointed(first.forward(), {input})});
    EXPECT_TRUE(sameNumbers(gradientOf(output, input), plain));
    EXPECT_EQ(first.begun + second.begun, 4);
}

// The outer region's own repetition ends where the second inner one keeps its input: that one is not entered.
TEST(CheckpointScopeTest, nestedRegionsRunAsOftenAsTheirDepthAsks)
{
    CountingLayer first, second;
    const at::Tensor input = leaf({4, 6});
    const at::Tensor plain = gradientOf(second(first(input)), input);
    first.begun = second.begun = 0;
    const Forward both = [&](const std::vector<at::Tensor>& in) {
        return checkpointed(second.forward(), {checkpointed(first.forward(), in, "inner 0")}, "inner 1");
    };
    EXPECT_TRUE(sameNumbers(gradientOf(checkpointed(both, {input}, "outer"), input), plain));
    EXPECT_EQ(first.begun, 3);
    EXPECT_EQ(second.begun, 2);
}

TEST(CheckpointScopeTest, threeLevelsAreStillBitEqual)
{
    CountingLayer layers[3];
    const at::Tensor input = leaf({4, 6});
    const at::Tensor plain = gradientOf(layers[2](layers[1](layers[0](input))).tanh(), input);
    const Forward inner = [&](const auto& in) { return layers[1](checkpointed(layers[0].forward(), in, "inner")); };
    const Forward middle = [&](const auto& in) { return layers[2](checkpointed(inner, in, "middle")); };
    const Forward outer = [&](const auto& in) { return checkpointed(middle, in, "outer").tanh(); };
    EXPECT_TRUE(sameNumbers(gradientOf(checkpointed(outer, {input}), input), plain));
}

TEST(CheckpointScopeTest, inputsMayBeFrozenAbsentIntegersOrViews)
{
    requireValues();
    const at::Tensor weight = leaf({6, 6}), base = leaf({4, 12});
    const std::vector<at::Tensor> inputs{at::randn({4, 6}, onTestDevice(at::kDouble)), at::Tensor(),
        at::tensor({2, 0, 3, 1}).to(testDevice()), base.narrow(1, 3, 6)};
    const Forward forward = [&](const std::vector<at::Tensor>& in) {
        EXPECT_FALSE(in[1].defined());
        return at::mm(in[0].index_select(0, in[2]), weight).tanh() * in[3] * 2.0;
    };
    const auto plain = torch::autograd::grad({forward(inputs).square().mean()}, {weight, base});
    const auto rebuilt = torch::autograd::grad({checkpointed(forward, inputs).square().mean()}, {weight, base});
    EXPECT_TRUE(sameNumbers(rebuilt[0], plain[0]));
    EXPECT_TRUE(sameNumbers(rebuilt[1], plain[1]));
}

TEST(CheckpointScopeTest, opsInPlaceInsideTheRegionAreRepeated)
{
    const at::Tensor input = leaf({4, 6}), weight = leaf({6, 6});
    const Forward forward = [&](const std::vector<at::Tensor>& in) {
        at::Tensor hidden = at::mm(in[0], weight);
        hidden.add_(in[0]).mul_(0.5).relu_();
        hidden = hidden.sigmoid();
        return hidden.view({2, 12}).t();
    };
    EXPECT_TRUE(sameNumbers(gradientOf(checkpointed(forward, {input}), input), gradientOf(forward({input}), input)));
}

TEST(CheckpointScopeTest, aRetainedGraphIsRecomputedForEachBackward)
{
    CountingLayer layer;
    const at::Tensor input = leaf({4, 6});
    const at::Tensor loss = checkpointed(layer.forward(), {input}).square().mean();
    loss.backward({}, /*retain_graph=*/true);
    const at::Tensor once = input.grad().clone();
    loss.backward({}, /*retain_graph=*/true);
    EXPECT_TRUE(sameNumbers(input.grad(), once * 2));
    loss.backward();
    EXPECT_EQ(layer.begun, 4);
    EXPECT_THROW(loss.backward(), c10::Error) << "the graph is gone now, as without checkpointing";
}

TEST(CheckpointScopeTest, secondDerivativesAreThoseOfThePlainForward)
{
    const at::Tensor input = leaf({5});
    const Forward forward = [](const std::vector<at::Tensor>& in) { return in[0].sin() * in[0].exp(); };
    const auto second = [&](const at::Tensor& output) {
        const at::Tensor first = torch::autograd::grad({output.sum()}, {input}, {}, true, true)[0];
        return torch::autograd::grad({first.square().sum()}, {input})[0];
    };
    EXPECT_TRUE(closeNumbers(second(checkpointed(forward, {input})), second(forward({input})), 1e-12));
}

TEST(CheckpointScopeTest, aRegionMayRunABackwardOfItsOwn)
{
    const at::Tensor input = leaf({5});
    const Forward forward = [](const std::vector<at::Tensor>& in) {
        const at::Tensor x = in[0] * 1.0;
        const at::Tensor slope = torch::autograd::grad({x.sin().sum()}, {x}, {}, true, true)[0];
        return slope.square() * in[0];
    };
    EXPECT_TRUE(closeNumbers(gradientOf(checkpointed(forward, {input}), input), gradientOf(forward({input}), input)));
}

// The repetition then ends inside the inner backward pass, and its end goes through the engine: which counts how deep
// it is, and after 60 that never returned would hand over to threads that it has not made.
TEST(CheckpointScopeTest, aRegionMayEndWithABackwardOfItsOwn)
{
    const Forward forward = [](const std::vector<at::Tensor>& in) {
        const at::Tensor x = in[0] * 1.0;
        return torch::autograd::grad({x.sin().exp().sum()}, {x}, {}, true, true)[0];
    };
    for (int round = 0; round < 130; ++round) {
        const at::Tensor input = leaf({5});
        ASSERT_TRUE(
            closeNumbers(gradientOf(checkpointed(forward, {input}), input), gradientOf(forward({input}), input)));
    }
}

TEST(CheckpointScopeTest, aCounterSeesTheInputsEachStorageOnce)
{
    SavedTensorCounter counter;
    const SavedTensorHookScope hooks(counter);
    const at::Tensor weight = leaf({6, 6}), hidden = at::zeros({4, 6}, onTestDevice(at::kDouble)),
                     shared = leaf({2, 6});
    const Forward forward = [&](const std::vector<at::Tensor>& in) {
        return at::gelu(at::mm(in[0], weight)) + in[1].sum() + in[2].sum();
    };
    const at::Tensor first = checkpointed(forward, {hidden, shared, shared.t()});
    const at::Tensor second = checkpointed(forward, {hidden, shared, at::Tensor(shared)});
    EXPECT_EQ(counter.heldBytes({weight}), (4 * 6 + 2 * 6) * 8);
}

TEST(CheckpointScopeTest, aRegionKnowsWhetherItIsRepeated)
{
    std::vector<bool> seen;
    const Forward forward = [&](const std::vector<at::Tensor>& in) {
        seen.push_back(isRecomputing());
        return in[0].exp().sin();
    };
    checkpointed(forward, {leaf({3})}).sum().backward();
    EXPECT_EQ(seen, (std::vector<bool>{false, true}));
    EXPECT_FALSE(isRecomputing());
}

} // namespace
} // namespace headroom::tensor::checkpoint_scope_test
