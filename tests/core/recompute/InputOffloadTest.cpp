// SPDX-License-Identifier: Apache-2.0
//
// Inputs of checkpointed regions that wait in host memory: which go, when their memory is free, and that they come
// back.
#include "core/memory/CpuMemory.h"
#include "core/memory/MetaMemory.h"
#include "tests/core/memory/RecordingBackend.h"
#include "tests/core/recompute/CheckpointedForward.h"
#include "tests/support/Refusal.h"
#include "tests/support/torch/Comparison.h"

#include <gmock/gmock.h>

namespace headroom::tensor::input_offload_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr Bytes kTensor = 64 * 64 * 4;
constexpr const char* kTechnique = "checkpointing";

/// A chain of regions, as a model runs its blocks. Each saves its input and four tensors more.
class Chain {
public:
    explicit Chain(c10::Device device)
        : offload(std::make_shared<InputOffload>(device, kTechnique))
    {
    }

    at::Tensor block(const at::Tensor& hidden, const std::vector<at::Tensor>& shared = {})
    {
        std::vector<at::Tensor> inputs{hidden};
        inputs.insert(inputs.end(), shared.begin(), shared.end());
        const Forward forward = [](const std::vector<at::Tensor>& in) {
            at::Tensor result = at::silu(at::silu(at::silu(at::silu(at::silu(in[0])))));
            for (std::size_t i = 1; i < in.size(); ++i)
                result = result * in[i];
            return result;
        };
        offload->regionBegins();
        at::Tensor output = checkpointed(forward, inputs, "block", {.offload = offload});
        offload->regionEnds();
        return output;
    }

    at::Tensor run(at::Tensor hidden, int blocks, const std::vector<at::Tensor>& shared = {})
    {
        offload->forwardBegins();
        for (int i = 0; i < blocks; ++i)
            hidden = block(std::exchange(hidden, {}), shared);
        return hidden;
    }

    std::shared_ptr<InputOffload> offload;
};

at::Tensor leaf(at::IntArrayRef sizes)
{
    return at::randn(sizes, onTestDevice()).requires_grad_(true);
}

/// Keeps account of the device's memory and of the host's.
class TwoPools final : public MemoryBackend {
public:
    Handle allocate(Bytes bytes) override { return 2 * device.allocate(bytes); }
    Handle allocateHost(HostMemory, Bytes bytes) override { return 2 * host.allocate(bytes) + 1; }
    void release(Handle handle) noexcept override { (handle % 2 == 0 ? device : host).release(handle / 2); }

    RecordingBackend device;
    RecordingBackend host;
};

/// Memory that is accounted for, on the CPU or on meta.
struct Account {
    explicit Account(c10::Device device)
        : options(at::TensorOptions().dtype(at::kFloat).device(device))
    {
        if (device.is_cpu())
            cpu = std::make_unique<CpuMemory>(backend);
        else
            meta = std::make_unique<MetaMemory>(backend);
    }
    at::Tensor leaf() const { return at::zeros({64, 64}, options).requires_grad_(); }
    Bytes live() const { return backend->device.liveBytes() / kTensor; }
    Bytes liveOnHost() const { return backend->host.liveBytes() / kTensor; }

    std::shared_ptr<TwoPools> backend = std::make_shared<TwoPools>();
    at::TensorOptions options;
    std::unique_ptr<CpuMemory> cpu;
    std::unique_ptr<MetaMemory> meta;
};

TEST(InputOffloadTest, gradientsAreBitEqual)
{
    const at::Tensor input = leaf({7, 5}), scale = leaf({5});
    Chain chain(testDevice());
    const auto gradients = [&](const at::Tensor& output) {
        return torch::autograd::grad({output.square().sum()}, {input, scale}, {}, /*retain_graph=*/true);
    };
    at::Tensor plain = input * 1.0;
    for (int i = 0; i < 4; ++i)
        plain = at::silu(at::silu(at::silu(at::silu(at::silu(plain))))) * scale;
    const auto expected = gradients(plain);
    const at::Tensor output = chain.run(input * 1.0, 4, {scale});
    for (int pass = 0; pass < 2; ++pass) {
        const auto found = gradients(output);
        EXPECT_TRUE(sameNumbers(found[0], expected[0])) << pass;
        EXPECT_TRUE(sameNumbers(found[1], expected[1])) << pass;
    }
    EXPECT_EQ(chain.offload->bytesToHost(), 3 * 7 * 5 * 4) << "the last block's input is needed at once";
}

// Layouts come back as they were.
TEST(InputOffloadTest, stridesAreKept)
{
    Chain chain(testDevice());
    std::vector<std::vector<std::int64_t>> strides;
    const Forward forward = [&](const std::vector<at::Tensor>& in) {
        strides.push_back(in[0].strides().vec());
        return in[0].sin().exp();
    };
    const at::Tensor input = leaf({3, 5, 7});
    chain.offload->regionBegins();
    const at::Tensor output = checkpointed(forward, {(input * 1.0).permute({2, 0, 1}).contiguous().permute({1, 2, 0})},
        "block", {.offload = chain.offload});
    chain.offload->regionEnds();
    chain.offload->regionBegins();
    EXPECT_EQ(chain.offload->bytesToHost(), 3 * 5 * 7 * 4);
    chain.offload->regionEnds();
    output.sum().backward();
    ASSERT_EQ(strides.size(), 2U);
    EXPECT_EQ(strides[0], strides[1]);
    EXPECT_TRUE(sameNumbers(input.grad(), torch::autograd::grad({input.sin().exp().sum()}, {input})[0]));
}

// Leaving these would free nothing: others hold them.
TEST(InputOffloadTest, whatOthersHoldStays)
{
    Chain chain(testDevice());
    const at::Tensor shared = at::randn({4}, onTestDevice()), input = leaf({4});
    chain.run(input, 3, {shared}).sum().backward();
    EXPECT_EQ(chain.offload->bytesToHost(), 1 * 4 * 4) << "of the three hidden states the first is the leaf";
    chain.offload->clearCount();
    std::vector<at::Tensor> kept;
    at::Tensor hidden = input;
    chain.offload->forwardBegins();
    for (int i = 0; i < 3; ++i)
        kept.push_back(hidden = chain.block(hidden));
    EXPECT_EQ(chain.offload->bytesToHost(), 0);
}

TEST(InputOffloadTest, partsOfALargerStorageStay)
{
    Chain chain(testDevice());
    chain.run((leaf({8, 4}) * 1.0).narrow(0, 0, 4), 2).sum().backward();
    EXPECT_EQ(chain.offload->bytesToHost(), 0);
}

// In tensors: the leaf, inputs of the blocks, and what came out. Nothing leaves that has nowhere to go before the next
// block; while one block runs, the input of the one before it is on its way.
TEST(InputOffloadTest, memoryIsFreeWhenTheNextBlockHasRun)
{
    for (const c10::DeviceType device : {at::kCPU, at::kMeta}) {
        const Account account(device);
        const at::Tensor input = account.leaf();
        {
            Chain chain(device);
            std::vector<Bytes> live, liveOnHost;
            at::Tensor hidden = input * 1.0;
            for (int i = 0; i < 4; ++i) {
                hidden = chain.block(std::exchange(hidden, {}));
                live.push_back(account.live());
                liveOnHost.push_back(account.liveOnHost());
            }
            EXPECT_THAT(live, ElementsAre(3, 3, 3, 3)) << "the leaf, one block's input, the output";
            EXPECT_THAT(liveOnHost, ElementsAre(0, 1, 2, 3));
            hidden.sum().backward();
        }
        EXPECT_EQ(account.live(), 2) << "the leaf and its gradient";
        EXPECT_EQ(account.liveOnHost(), 0);
    }
}

// The peak of the backward pass is that of each block but the last: the leaf, the block's input and the one that comes
// back, four activations, the gradient of the block's output and the first one made of it; however many blocks there
// are.
TEST(InputOffloadTest, thePeakOfTheBackwardDoesNotGrowWithTheBlocks)
{
    for (const c10::DeviceType device : {at::kCPU, at::kMeta}) {
        std::vector<Bytes> peaks;
        for (const int blocks : {3, 6, 12}) {
            const Account account(device);
            const at::Tensor input = account.leaf();
            Chain chain(device);
            at::Tensor loss = chain.run(input * 1.0, blocks).sum();
            account.backend->device.restart();
            loss.backward();
            peaks.push_back(account.backend->device.peakBytes() / kTensor);
        }
        EXPECT_THAT(peaks, testing::Each(1 + 2 + 4 + 2));
    }
}

TEST(InputOffloadTest, aGraphThatIsDroppedFreesEverything)
{
    for (const c10::DeviceType device : {at::kCPU, at::kMeta}) {
        const Account account(device);
        {
            const at::Tensor input = account.leaf();
            Chain chain(device);
            chain.run(input * 1.0, 5);
            at::Tensor half = chain.block(chain.block(input * 1.0));
            chain.offload->regionBegins(); // on its way, and dropped
            half.reset();
            EXPECT_EQ(account.live(), 1);
        }
        EXPECT_EQ(account.backend->device.liveBytes() + account.backend->host.liveBytes(), 0);
        EXPECT_EQ(account.backend->device.unknownDeaths() + account.backend->host.unknownDeaths(), 0);
    }
}

TEST(InputOffloadTest, anInputThatIsChangedAfterwardsIsRefused)
{
    Chain chain(testDevice());
    at::Tensor hidden = leaf({4}) * 1.0;
    at::Tensor alias = hidden.detach();
    const at::Tensor loss = chain.block(chain.block(std::exchange(hidden, {}))).sum();
    alias.add_(1);
    EXPECT_THAT(refusal<TrialError>([&] { loss.backward(); }),
        HasSubstr("input 0 was changed in place after the forward pass"));
}

TEST(InputOffloadTest, withoutPinnedMemoryItIsPageableAndSaysWhy)
{
    const PinnedAllocationScope refusing(
        [](at::IntArrayRef, const at::TensorOptions&) -> at::Tensor { TORCH_CHECK(false, "no memory to pin"); });
    Chain chain(testDevice());
    const at::Tensor input = leaf({4});
    chain.run(input * 1.0, 3).sum().backward();
    EXPECT_EQ(chain.offload->bytesToHost(), 2 * 4 * 4);
    EXPECT_THAT(chain.offload->whyPageable(), HasSubstr("no memory to pin"));
}

} // namespace
} // namespace headroom::tensor::input_offload_test
