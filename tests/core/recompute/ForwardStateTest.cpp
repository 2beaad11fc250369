// SPDX-License-Identifier: Apache-2.0
#include "core/recompute/CheckpointFrame.h"

#include "tests/core/autocast/LibTorchsAutocast.h"
#include "tests/core/recompute/CheckpointedForward.h"
#include "tests/support/torch/Comparison.h"

#include <ATen/autocast_mode.h>
#include <gtest/gtest.h>

namespace headroom::tensor {
namespace {

// Of the generator that draws the test device's numbers.
at::Tensor generatorState()
{
    return at::globalContext().defaultGenerator(testDevice()).get_state();
}

// By which a state knows which generators to keep.
at::Tensor onlyInput()
{
    return at::empty({1}, onTestDevice());
}

TEST(ForwardStateTest, drawsTheSameNumbersAgainAndPutsTheOthersBack)
{
    requireValues();
    at::manual_seed(3);
    at::randn({3}, onTestDevice()); // leaves one normal number over, which is a part of the state
    const auto draw = [] {
        const at::TensorOptions options = onTestDevice();
        return at::cat({at::randn({1}, options), at::rand({5}, options), at::randn({20}, options)});
    };
    const ForwardState state({onlyInput()});
    const at::Tensor drawn = draw();
    at::rand({7}, onTestDevice());
    const at::Tensor surrounding = generatorState();
    at::Tensor again;
    state.runUnder([&] { again = draw(); });
    EXPECT_TRUE(sameNumbers(again, drawn));
    EXPECT_TRUE(sameNumbers(generatorState(), surrounding));
}

TEST(ForwardStateTest, gradientsAreOnInsideAndAsBeforeOutside)
{
    const ForwardState state({});
    const torch::NoGradGuard noGradients;
    bool inside = false;
    state.runUnder([&] { inside = at::GradMode::is_enabled(); });
    EXPECT_TRUE(inside);
    EXPECT_FALSE(at::GradMode::is_enabled());
}

TEST(ForwardStateTest, anExceptionLeavesNothingBehind)
{
    requireValues();
    std::optional<ForwardState> state;
    {
        const LibTorchsAutocast autocast(at::kBFloat16);
        state.emplace(std::vector<at::Tensor>{onlyInput()});
    }
    const at::Tensor surrounding = generatorState();
    EXPECT_THROW(state->runUnder([] {
        at::rand({3}, onTestDevice());
        throw std::domain_error("");
    }),
        std::domain_error);
    EXPECT_TRUE(sameNumbers(generatorState(), surrounding));
    EXPECT_FALSE(at::autocast::is_autocast_enabled(testDevice().type()));
}

TEST(ForwardStateTest, autocastIsEnteredAgainWithItsDtypeAndCache)
{
    requireValues();
    std::optional<ForwardState> state;
    {
        const LibTorchsAutocast autocast(at::kHalf);
        at::autocast::set_autocast_cache_enabled(false);
        state.emplace(std::vector<at::Tensor>{onlyInput(), at::empty({1}, at::kMeta)});
        at::autocast::set_autocast_cache_enabled(true);
    }
    state->runUnder([] {
        EXPECT_TRUE(at::autocast::is_autocast_enabled(testDevice().type()));
        EXPECT_EQ(at::autocast::get_autocast_dtype(testDevice().type()), at::kHalf);
        EXPECT_FALSE(at::autocast::is_autocast_cache_enabled());
    });
    EXPECT_FALSE(at::autocast::is_autocast_enabled(testDevice().type()));
    EXPECT_EQ(at::autocast::get_autocast_dtype(testDevice().type()), at::kBFloat16) << "as it was put back";
    EXPECT_TRUE(at::autocast::is_autocast_cache_enabled());
}

TEST(CheckpointAutocastTest, aRegionOfReducedPrecisionIsRepeatedInIt)
{
    requireValues();
    const at::Tensor weight = at::randn({16, 16}, onTestDevice()).requires_grad_(),
                     input = at::randn({8, 16}, onTestDevice()).requires_grad_();
    std::vector<c10::ScalarType> types;
    const Forward forward = [&](const std::vector<at::Tensor>& in) {
        const at::Tensor hidden = at::mm(in[0], weight);
        types.push_back(hidden.scalar_type());
        return at::mm(at::gelu(hidden), weight);
    };
    const auto gradients = [&](const auto& run) {
        at::Tensor output;
        {
            const LibTorchsAutocast autocast(at::kBFloat16);
            output = run();
        }
        return torch::autograd::grad({output.to(at::kFloat).square().mean()}, {weight, input});
    };
    const auto plain = gradients([&] { return forward({input}); });
    const auto rebuilt = gradients([&] { return checkpointed(forward, {input}); });
    EXPECT_TRUE(sameNumbers(rebuilt[0], plain[0]));
    EXPECT_TRUE(sameNumbers(rebuilt[1], plain[1]));
    EXPECT_EQ(types, std::vector<c10::ScalarType>(3, at::kBFloat16));
}

TEST(CheckpointRandomnessTest, dropoutDropsTheSameAndTheStreamGoesOnAsWithout)
{
    requireValues();
    const at::Tensor input = at::randn({64, 64}, onTestDevice()).requires_grad_();
    const Forward forward = [](const std::vector<at::Tensor>& in) {
        return at::dropout(at::gelu(at::dropout(in[0], 0.3, true)), 0.5, true);
    };
    const auto step = [&](const auto& run) {
        at::manual_seed(17);
        const at::Tensor gradient = torch::autograd::grad({run().square().mean()}, {input})[0];
        return at::cat({gradient.flatten(), at::randn({3}, onTestDevice())});
    };
    EXPECT_TRUE(
        sameNumbers(step([&] { return checkpointed(forward, {input}); }), step([&] { return forward({input}); })));
}

} // namespace
} // namespace headroom::tensor
