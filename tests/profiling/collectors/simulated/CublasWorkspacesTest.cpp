// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/simulated/CublasWorkspaces.h"

#include "profiling/simulator/ExactAllocator.h"
#include "tests/profiling/comparisons/TrialRun.h"

#include <gtest/gtest.h>

namespace headroom::collectors {
namespace {

// 2 x 4096 KiB + 8 x 16 KiB, and 32 MiB on compute capability 9.x (aten/src/ATen/cuda/CublasHandlePool.cpp).
constexpr Bytes kDefaultWorkspace = 8519680;
constexpr Bytes kHopperWorkspace = 32 * kMiB;

const at::TensorOptions kMeta = at::TensorOptions().device(at::kMeta).dtype(at::kFloat);

/// A simulated device with factors of 1 MiB each on it.
struct Device {
    explicit Device(const std::string& notation)
        : instruments(profiles().parseSimulatedDevice(notation), std::nullopt)
        , factor(at::empty({512, 512}, kMeta))
        , bias(at::empty({512}, kMeta))
        , initialBytes(*instruments.current().allocated)
    {
    }
    Bytes added() { return *instruments.current().allocated - initialBytes; }

    SimulatedInstruments instruments;
    at::Tensor factor;
    at::Tensor bias;
    Bytes initialBytes;
};

TEST(CublasWorkspacesTest, theForwardThreadTakesOneAtItsFirstProductAndKeepsIt)
{
    for (const auto& [notation, bytes] : std::map<std::string, Bytes>{{"a100-80gb", kDefaultWorkspace},
             {"t4", kDefaultWorkspace}, {"rtx4090", kDefaultWorkspace}, {"h100-80gb", kHopperWorkspace},
             {"h200", kHopperWorkspace}, {"h100-80gb@torch-2.5", kHopperWorkspace}, {"cpu", 0}}) {
        Device device(notation);
        device.factor.add(1);
        EXPECT_EQ(device.added(), 0) << notation << ": no product, no workspace";
        at::mm(device.factor, device.factor);
        EXPECT_EQ(device.added(), bytes) << notation;
        at::bmm(device.factor.view({2, 256, 512}), device.factor.view({2, 512, 256}));
        EXPECT_EQ(device.added(), bytes) << notation << ": one per thread";
        const Bytes ofLt = notation == "cpu" || notation.ends_with("torch-2.5") ? 0 : kMiB; // which gives it back
        for (int product = 0; product < 2; ++product) {
            at::addmm(device.bias, device.factor, device.factor);
            EXPECT_EQ(device.added(), bytes + ofLt) << notation << ": and one for products with a bias";
        }
    }
}

TEST(CublasWorkspacesTest, autogradsThreadTakesItsOwn)
{
    Device device("a100-80gb");
    at::mm(device.factor, device.factor);
    device.instruments.phaseBegins("backward", 0);
    EXPECT_EQ(device.added(), kDefaultWorkspace);
    at::mm(device.factor, device.factor);
    device.instruments.phaseEnds("backward", 0);
    at::mm(device.factor, device.factor);
    EXPECT_EQ(device.added(), 2 * kDefaultWorkspace);
}

TEST(CublasWorkspacesTest, whatAProductThatIsRecomputedLeavesIsCountedAndCanBeGivenBack)
{
    Device device("a100-80gb");
    SimulatedInstruments& instruments = device.instruments;
    at::addmm(device.bias, device.factor, device.factor);
    EXPECT_EQ(instruments.recomputedLtProducts(), 0);
    instruments.phaseBegins("backward", 0);
    at::mm(device.factor, device.factor);
    EXPECT_EQ(instruments.recomputedLtBytes(), 0);
    const Bytes before = device.added();
    for (int product = 1; product < 3; ++product) {
        at::addmm(device.bias, device.factor, device.factor);
        EXPECT_EQ(instruments.recomputedLtProducts(), product);
        EXPECT_EQ(instruments.recomputedLtBytes(), kMiB);
        EXPECT_EQ(device.added(), before + kMiB);
    }
    instruments.phaseEnds("backward", 0);
    instruments.releaseRecomputedLt();
    EXPECT_EQ(instruments.recomputedLtBytes(), 0);
    EXPECT_EQ(device.added(), before) << "the forward's stays";
    instruments.releaseRecomputedLt();
    EXPECT_EQ(device.added(), before);
}

TEST(CublasWorkspacesTest, aTrainingStepHoldsTwoAndAnInferenceStepOne)
{
    const config::ValueMap fields{{"num_layers", 2}, {"dim", 128}, {"activation_fn", "gelu"}};
    const auto peak = [&](const char* device, const char* step) {
        return peakOf(trialOf(device, fields, {{"step", step}, {"batch", 2}, {"sequence_length", 128}}));
    };
    for (const auto& [device, bytes] :
        std::map<const char*, Bytes>{{"sim:a100-80gb", kDefaultWorkspace}, {"sim:h100-80gb", kHopperWorkspace}}) {
        const Bytes ofLt = kMiB; // of products with a bias, which are in the forward pass
        EXPECT_EQ(peak(device, "inference") - peak("sim:cpu", "inference"), bytes + ofLt) << device;
        // The loss and its gradient are scalars of 4 bytes in blocks of 512.
        EXPECT_NEAR(static_cast<double>(peak(device, "forward_backward") - peak("sim:cpu", "forward_backward")),
            static_cast<double>(2 * bytes + ofLt), 4096)
            << device;
    }
}

TEST(CublasWorkspacesTest, theyAreGivenBackWithTheDevice)
{
    const auto allocator =
        std::make_shared<AccountedMemory>(std::make_unique<simulator::ExactAllocator>(simulator::kUnlimitedBytes));
    tensor::OpInterceptor interceptor;
    {
        CublasWorkspaces workspaces(profiles().parseSimulatedDevice("a100-80gb"), allocator);
        interceptor.addObserver(workspaces);
        const tensor::OpInterceptor::Scope scope(interceptor);
        at::mm(at::empty({8, 8}, kMeta), at::empty({8, 8}, kMeta));
        EXPECT_EQ(allocator->stats().allocatedBytes.aggregate.current, kDefaultWorkspace);
    }
    EXPECT_EQ(allocator->stats().allocatedBytes.aggregate.current, 0);
}

/// What a call needs beyond what is alive before and after it, once its thread has its workspace.
Bytes transientBytes(const std::string& notation, const std::function<void(Device&)>& product)
{
    Device device(notation);
    product(device);
    device.instruments.resetPeak();
    const Bytes before = *device.instruments.current().allocated;
    product(device);
    EXPECT_EQ(*device.instruments.current().allocated, before);
    return *device.instruments.peak().allocated - before;
}

// Up to torch 2.5 cublasLt, which biased products go to, has a workspace of its own: 1 MiB for the time of the call.
TEST(CublasWorkspacesTest, olderRuntimesGiveCublasLtAWorkspaceOfItsOwn)
{
    const auto plain = [](Device& device) { at::mm(device.factor, device.factor); };
    const auto biased = [](Device& device) { at::addmm(device.bias, device.factor, device.factor); };
    const auto accumulated = [](Device& device) { device.factor.addmm_(device.factor, device.factor); };
    const std::string old = "a100-80gb@torch-2.5", recent = "a100-80gb@torch-2.11";
    EXPECT_EQ(transientBytes(old, biased), 2 * kMiB) << "the result and the workspace";
    EXPECT_EQ(transientBytes(recent, biased), kMiB) << "the result";
    for (const std::string& notation : {old, recent}) {
        EXPECT_EQ(transientBytes(notation, plain), kMiB) << "the result";
        EXPECT_EQ(transientBytes(notation, accumulated), 0) << "a matrix to add is no bias";
    }
}

} // namespace
} // namespace headroom::collectors
