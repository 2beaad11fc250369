// SPDX-License-Identifier: Apache-2.0
//
// What a checkpointed region must not do, and what is said about it.
#include "core/memory/MetaMemory.h"
#include "tests/core/memory/RecordingBackend.h"
#include "tests/core/recompute/CheckpointedForward.h"
#include "tests/support/Refusal.h"
#include "tests/support/torch/Comparison.h"

#include <gmock/gmock.h>

namespace headroom::tensor::checkpoint_error_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

at::Tensor leaf(at::IntArrayRef sizes)
{
    return at::randn(sizes, onTestDevice(at::kDouble)).requires_grad_(true);
}

/// Does `first` when it runs for the first time and `later` after that.
Forward changing(const Forward& first, const Forward& later)
{
    return [first, later, runs = std::make_shared<int>(0)](
               const std::vector<at::Tensor>& in) { return (*runs)++ == 0 ? first(in) : later(in); };
}

std::string refusalOfBackward(const Forward& forward, const std::vector<at::Tensor>& inputs)
{
    const at::Tensor loss = checkpointed(forward, inputs, "block 3").sum();
    return refusal<TrialError>([&] { loss.backward(); });
}

Forward silus(int count)
{
    return [count](const std::vector<at::Tensor>& in) {
        at::Tensor hidden = in[0];
        for (int i = 0; i < count; ++i)
            hidden = at::silu(hidden);
        return hidden;
    };
}

// As the messages say it.
std::string onDevice()
{
    return " on " + testDevice().str();
}

TEST(CheckpointErrorTest, fewerSavedTensorsAreRefused)
{
    EXPECT_EQ(refusalOfBackward(changing(silus(3), silus(2)), {leaf({4})}),
        "checkpointed block 3: run again for the backward pass, it saved 2 tensors instead of 3 (valid: a forward that "
        "does the same each time; look for branches on values or on the step, state kept between calls, weights "
        "changed before the backward pass)");
}

TEST(CheckpointErrorTest, anotherShapeDtypeOrDeviceIsRefusedWithBoth)
{
    const Forward wide = [](const auto& in) { return at::silu(in[0].expand({3, 4}).contiguous()).sum(); };
    EXPECT_THAT(refusalOfBackward(changing(silus(1), wide), {leaf({4})}),
        HasSubstr("it saved Double [3, 4]" + onDevice() + " at version 0 in position 0 of 1, instead of Double [4]"
            + onDevice() + " at version 1"));
    const Forward narrow = [](const auto& in) { return at::silu(in[0].to(at::kFloat)); };
    EXPECT_THAT(refusalOfBackward(changing(silus(1), narrow), {leaf({4})}), HasSubstr("Float [4]" + onDevice()));
    const Forward elsewhere = [](const auto& in) { return at::silu(in[0].to(at::kMeta)); };
    if (!testDevice().is_meta()) {
        EXPECT_THAT(refusalOfBackward(changing(silus(1), elsewhere), {leaf({4})}), HasSubstr("Double [4] on meta"));
    }
}

TEST(CheckpointErrorTest, theOffendingPositionIsNamed)
{
    const Forward first = [](const auto& in) { return at::silu(at::silu(in[0]).sum(0)); };
    const Forward later = [](const auto& in) { return at::silu(at::silu(in[0]).sum(1)); };
    EXPECT_THAT(refusalOfBackward(changing(first, later), {leaf({4, 5})}),
        HasSubstr("[4]" + onDevice() + " at version 0 in position 1 of 2"));
}

// A forward that takes the end of its repetition for an error of its own goes on and saves too much.
TEST(CheckpointErrorTest, moreSavedTensorsAreRefused)
{
    const Forward swallowing = [](const std::vector<at::Tensor>& in) {
        at::Tensor hidden = in[0];
        try {
            hidden = at::silu(hidden);
        } catch (...) {
            return at::silu(at::silu(in[0]));
        }
        return hidden;
    };
    EXPECT_THAT(
        refusalOfBackward(swallowing, {leaf({4})}), HasSubstr("it saved more than the 1 tensors of the forward"));
}

TEST(CheckpointErrorTest, anInputChangedInPlaceIsRefused)
{
    const at::Tensor other = leaf({4}), input = at::randn({4}, onTestDevice(at::kDouble));
    const Forward forward = [](const auto& in) { return in[0] * in[1].exp(); };
    const at::Tensor loss = checkpointed(forward, {other, input}, "block 3").sum();
    input.mul_(2);
    EXPECT_EQ(refusal<TrialError>([&] { loss.backward(); }),
        "checkpointed block 3: input 1 was changed in place after the forward pass (valid: inputs that stay as they "
        "are "
        "until the backward pass has run)");
}

TEST(CheckpointErrorTest, anInputThatTheRegionChangesItselfIsRefused)
{
    const Forward forward = [](const auto& in) { return at::silu(in[0].mul_(2)); };
    EXPECT_THAT(refusalOfBackward(forward, {leaf({4}) * 1.0}), HasSubstr("input 0 was changed in place"));
}

TEST(CheckpointErrorTest, weightsChangedBetweenForwardAndBackwardAreRefused)
{
    const at::Tensor weight = leaf({4, 4}), input = leaf({4, 4});
    const Forward forward = [&](const auto& in) { return at::mm(in[0], weight); };
    const at::Tensor loss = checkpointed(forward, {input}, "block 3").sum();
    {
        const torch::NoGradGuard noGradients;
        at::Tensor(weight).mul_(0.9);
    }
    EXPECT_THAT(refusal<TrialError>([&] { loss.backward(); }),
        HasSubstr("[4, 4]" + onDevice() + " at version 2 in position 0 of 2, instead of Double [4, 4]" + onDevice()
            + " at version 1"));
}

TEST(CheckpointErrorTest, aSavedTensorChangedLaterInTheRegionIsRefused)
{
    const Forward forward = [](const auto& in) {
        at::Tensor hidden = in[0] * 1.0;
        const at::Tensor result = at::silu(hidden);
        hidden.add_(1); // silu's backward needs the value of before
        return at::silu(result + hidden);
    };
    EXPECT_THAT(refusalOfBackward(forward, {leaf({4})}), HasSubstr("is changed in place after it is saved"));
}

/// A node that unpacks what it saved more often than a backward may.
struct GreedyNode : torch::autograd::Node {
    torch::autograd::SavedVariable saved;

    torch::autograd::variable_list apply(torch::autograd::variable_list&& gradients) override
    {
        saved.unpack();
        saved.unpack();
        return std::move(gradients);
    }
};

at::Tensor greedy(const at::Tensor& input)
{
    const auto node = std::make_shared<GreedyNode>();
    node->set_next_edges(torch::autograd::collect_next_edges(input));
    node->saved = torch::autograd::SavedVariable(input, false);
    at::Tensor output = input.detach().clone();
    torch::autograd::create_gradient_edge(output, node);
    return output;
}

TEST(CheckpointErrorTest, askingTwiceInOneBackwardIsRefused)
{
    EXPECT_THAT(refusalOfBackward([](const auto& in) { return greedy(in[0]); }, {leaf({4})}),
        StartsWith("checkpointed block 3: the saved tensor in position 0 was asked for twice in one backward pass"));
}

TEST(CheckpointErrorTest, theRegionsOwnErrorPassesWithItsType)
{
    const Forward failing = [](const std::vector<at::Tensor>&) -> at::Tensor { throw std::domain_error("not today"); };
    const at::Tensor loss = checkpointed(changing(silus(1), failing), {leaf({4})}).sum();
    EXPECT_THROW(loss.backward(), std::domain_error);
}

TEST(CheckpointErrorTest, afterAnErrorEverythingIsAsBefore)
{
    requireCpu("of its generator");
    const at::Tensor generatorState = at::detail::getDefaultCPUGenerator().get_state();
    const Forward later = [](const auto& in) { return at::silu(in[0].sum() + at::rand({1}, onTestDevice())); };
    refusalOfBackward(changing(silus(1), later), {at::ones({4}, onTestDevice()).requires_grad_()});
    EXPECT_FALSE(isRecomputing());
    EXPECT_TRUE(sameNumbers(at::detail::getDefaultCPUGenerator().get_state(), generatorState));
    const at::Tensor input = leaf({4});
    at::silu(input).sum().backward();
    EXPECT_TRUE(input.grad().defined());
}

TEST(CheckpointErrorTest, memoryThatRunsOutInTheRepetitionIsReportedAsSuch)
{
    const auto backend = std::make_shared<RecordingBackend>();
    const MetaMemory scope(backend);
    const auto meta = at::TensorOptions().device(at::kMeta).dtype(at::kFloat);
    {
        const at::Tensor loss = checkpointed(silus(4), {at::empty({1024}, meta).requires_grad_()}).sum();
        backend->setLimit(backend->liveBytes() + 4096 + 8);
        EXPECT_THROW(loss.backward(), Refused);
    }
    EXPECT_EQ(backend->liveBytes(), 0);
}

} // namespace
} // namespace headroom::tensor::checkpoint_error_test
