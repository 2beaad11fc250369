// SPDX-License-Identifier: Apache-2.0
//
// What a checkpointed region holds, and until when. The CPU and meta have to agree to the byte.
#include "core/memory/CpuMemory.h"
#include "core/memory/MetaMemory.h"
#include "tests/core/memory/RecordingBackend.h"
#include "tests/core/recompute/CheckpointedForward.h"

#include <gtest/gtest.h>

namespace headroom::tensor::checkpoint_memory_test {
namespace {

constexpr Bytes kTensor = 64 * 64 * 4;

/// A measured device: tensors made with `options` are accounted for by `backend`.
struct Account {
    std::shared_ptr<RecordingBackend> backend = std::make_shared<RecordingBackend>();
    at::TensorOptions options;

    at::Tensor leaf() const { return at::empty({64, 64}, options).zero_().requires_grad_(); }
};

using Program = void (*)(const Account&);

void onCpu(Program program)
{
    Account account{.options = at::TensorOptions().dtype(at::kFloat)};
    const CpuMemory scope(account.backend);
    program(account);
    EXPECT_EQ(account.backend->liveBytes(), 0) << "cpu";
    EXPECT_EQ(account.backend->unknownDeaths(), 0) << "cpu";
}

void onMeta(Program program)
{
    Account account{.options = at::TensorOptions().device(at::kMeta).dtype(at::kFloat)};
    const MetaMemory scope(account.backend);
    program(account);
    EXPECT_EQ(account.backend->liveBytes(), 0) << "meta";
    EXPECT_EQ(account.backend->unknownDeaths(), 0) << "meta";
}

void onBoth(Program program)
{
    onCpu(program);
    onMeta(program);
}

// Saves its input and, without checkpointing, four tensors more.
at::Tensor deep(const std::vector<at::Tensor>& in)
{
    return at::silu(at::silu(at::silu(at::silu(at::silu(in[0])))));
}

TEST(CheckpointMemoryTest, theForwardLeavesItsInputAndItsOutput)
{
    onBoth([](const Account& account) {
        const at::Tensor input = account.leaf();
        const at::Tensor output = checkpointed(deep, {input * 1.0});
        EXPECT_EQ(account.backend->liveBytes(), 3 * kTensor) << "the leaf, the region's input, its output";
    });
}

TEST(CheckpointMemoryTest, aGraphThatIsDroppedFreesEverything)
{
    onBoth([](const Account& account) {
        const at::Tensor input = account.leaf();
        checkpointed(deep, {checkpointed(deep, {input * 1.0})});
        EXPECT_EQ(account.backend->liveBytes(), kTensor);
    });
}

// An input that the region changes in place gets the region's graph for its history.
TEST(CheckpointMemoryTest, aRegionThatChangesItsInputInPlaceLeaksNothing)
{
    onBoth([](const Account& account) {
        const at::Tensor input = account.leaf();
        checkpointed([](const auto& in) { return at::silu(in[0].mul_(2)); }, {input * 1.0});
        EXPECT_EQ(account.backend->liveBytes(), kTensor);
    });
}

// exp saves its output, which knows the node that saved it.
TEST(CheckpointMemoryTest, savedOutputsLeakNothing)
{
    onBoth([](const Account& account) {
        const at::Tensor input = account.leaf();
        checkpointed([](const auto& in) { return in[0].exp().sigmoid(); }, {input}).sum().backward();
        EXPECT_EQ(account.backend->liveBytes(), 2 * kTensor) << "the leaf and its gradient";
    });
}

TEST(CheckpointMemoryTest, regionsAreFreedOneAfterTheOther)
{
    onBoth([](const Account& account) {
        std::vector<Bytes> live;
        const at::Tensor input = account.leaf();
        at::Tensor hidden = input * 1.0;
        for (int region = 0; region < 3; ++region) {
            hidden.register_hook([&](const at::Tensor&) { live.push_back(account.backend->liveBytes()); });
            hidden = checkpointed(deep, {std::move(hidden)});
        }
        at::Tensor loss = hidden.sum();
        hidden.reset();
        loss.backward();
        ASSERT_EQ(live.size(), 3U);
        EXPECT_EQ(live[0] - live[1], kTensor) << "one region's input less";
        EXPECT_EQ(live[1] - live[2], kTensor);
    });
}

TEST(CheckpointMemoryTest, aRetainedGraphHoldsInputsOnly)
{
    onBoth([](const Account& account) {
        const at::Tensor input = account.leaf();
        const at::Tensor loss = checkpointed(deep, {input * 1.0}).sum();
        loss.backward({}, /*retain_graph=*/true);
        EXPECT_EQ(account.backend->liveBytes(), 3 * kTensor + 4) << "leaf, its gradient, the region's input, the loss";
    });
}

// A gradient that needs only a part of the region leaves rebuilt tensors behind until the graph goes.
TEST(CheckpointMemoryTest, whatABackwardDoesNotFetchGoesWithTheGraph)
{
    onBoth([](const Account& account) {
        const at::Tensor first = account.leaf(), second = account.leaf();
        {
            const Forward forward = [](const auto& in) {
                return at::silu(at::silu(in[0])) + at::silu(at::silu(in[1]));
            };
            const at::Tensor loss = checkpointed(forward, {first, second}).sum();
            torch::autograd::grad({loss}, {first}, {}, /*retain_graph=*/true);
        }
        EXPECT_EQ(account.backend->liveBytes(), 2 * kTensor);
    });
}

Bytes peakOfNestedRegions(const Account& account)
{
    const Forward outer = [](const auto& in) { return checkpointed(deep, in) + in[0]; };
    at::Tensor hidden = account.leaf() * 1.0;
    for (int region = 0; region < 3; ++region)
        hidden = checkpointed(outer, {std::move(hidden)});
    at::Tensor loss = hidden.sum();
    hidden.reset();
    account.backend->restart();
    loss.backward();
    return account.backend->peakBytes();
}

// The leaf and three inputs of regions; four activations of the innermost region (its input is one of the three); the
// first gradient of that size, made from the loss's single number, and the loss.
TEST(CheckpointMemoryTest, thePeakOfTheBackwardIsThatOfOneRegion)
{
    onBoth([](const Account& account) {
        const Bytes peak = peakOfNestedRegions(account);
        EXPECT_EQ(peak / kTensor, 1 + 3 + 4 + 1);
        EXPECT_LT(peak % kTensor, 64);
    });
}

} // namespace
} // namespace headroom::tensor::checkpoint_memory_test
