// SPDX-License-Identifier: Apache-2.0
#include "core/recompute/ForwardState.h"

#include "tests/core/autocast/LibTorchsAutocast.h"
#include "tests/core/recompute/CheckpointedForward.h"

#include <ATen/autocast_mode.h>
#include <gtest/gtest.h>

namespace headroom::tensor {
namespace {

at::Tensor generatorState()
{
    return at::detail::getDefaultCPUGenerator().get_state();
}

TEST(ForwardStateTest, drawsTheSameNumbersAgainAndPutsTheOthersBack)
{
    at::manual_seed(3);
    at::randn({3}); // leaves one normal number over, which is a part of the state
    const ForwardState state({});
    const at::Tensor drawn = at::cat({at::randn({1}), at::rand({5}), at::randn({20})});
    at::rand({7});
    const at::Tensor surrounding = generatorState();
    at::Tensor again;
    state.runUnder([&] { again = at::cat({at::randn({1}), at::rand({5}), at::randn({20})}); });
    EXPECT_TRUE(at::equal(again, drawn));
    EXPECT_TRUE(at::equal(generatorState(), surrounding));
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
    std::optional<ForwardState> state;
    {
        const LibTorchsAutocast autocast(at::kBFloat16);
        state.emplace(std::vector<at::Tensor>{});
    }
    const at::Tensor surrounding = generatorState();
    EXPECT_THROW(state->runUnder([] {
        at::rand({3});
        throw std::domain_error("");
    }),
        std::domain_error);
    EXPECT_TRUE(at::equal(generatorState(), surrounding));
    EXPECT_FALSE(at::autocast::is_autocast_enabled(at::kCPU));
}

TEST(ForwardStateTest, autocastIsEnteredAgainWithItsDtypeAndCache)
{
    std::optional<ForwardState> state;
    {
        const LibTorchsAutocast autocast(at::kHalf);
        at::autocast::set_autocast_cache_enabled(false);
        state.emplace(std::vector<at::Tensor>{at::empty({1}), at::empty({1}, at::kMeta)});
        at::autocast::set_autocast_cache_enabled(true);
    }
    state->runUnder([] {
        EXPECT_TRUE(at::autocast::is_autocast_enabled(at::kCPU));
        EXPECT_EQ(at::autocast::get_autocast_dtype(at::kCPU), at::kHalf);
        EXPECT_FALSE(at::autocast::is_autocast_cache_enabled());
    });
    EXPECT_FALSE(at::autocast::is_autocast_enabled(at::kCPU));
    EXPECT_EQ(at::autocast::get_autocast_dtype(at::kCPU), at::kBFloat16);
    EXPECT_TRUE(at::autocast::is_autocast_cache_enabled());
}

TEST(CheckpointAutocastTest, aRegionOfReducedPrecisionIsRepeatedInIt)
{
    const at::Tensor weight = at::randn({16, 16}).requires_grad_(), input = at::randn({8, 16}).requires_grad_();
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
    EXPECT_TRUE(at::equal(rebuilt[0], plain[0]));
    EXPECT_TRUE(at::equal(rebuilt[1], plain[1]));
    EXPECT_EQ(types, std::vector<c10::ScalarType>(3, at::kBFloat16));
}

TEST(CheckpointRandomnessTest, dropoutDropsTheSameAndTheStreamGoesOnAsWithout)
{
    const at::Tensor input = at::randn({64, 64}).requires_grad_();
    const Forward forward = [](const std::vector<at::Tensor>& in) {
        return at::dropout(at::gelu(at::dropout(in[0], 0.3, true)), 0.5, true);
    };
    const auto step = [&](const auto& run) {
        at::manual_seed(17);
        const at::Tensor gradient = torch::autograd::grad({run().square().mean()}, {input})[0];
        return at::cat({gradient.flatten(), at::randn({3})});
    };
    EXPECT_TRUE(
        at::equal(step([&] { return checkpointed(forward, {input}); }), step([&] { return forward({input}); })));
}

} // namespace
} // namespace headroom::tensor
