// SPDX-License-Identifier: Apache-2.0
//
// Where a trial on CUDA meets its edges: a refused request, host memory, devices other than the first, and what the
// device says of itself.
#include "profiling/collectors/cuda/CudaInstruments.h"
#include "profiling/collectors/cuda/CudaRuntime.h"
#include "tests/profiling/comparisons/TrialRun.h"

#include <gmock/gmock.h>

#include <cuda_runtime_api.h>

namespace headroom::collectors::cuda_trial_edges_test {
namespace {

using protocol::RepeatResult;

constexpr Bytes kStagedBytes = kKiB; ///< PyTorch pins a little itself, to bring single numbers to the host

class CudaTrialEdgesTest : public testing::Test {
protected:
    void SetUp() override
    {
        const std::string reason = cudaAvailability().reason;
        if (!reason.empty())
            GTEST_SKIP() << reason;
    }

    static config::Trial trial(const std::string& device, const char* step = "train")
    {
        return trialOf(device, {{"num_layers", 2}, {"dim", 256}, {"activation_fn", "gelu"}},
            {{"step", step}, {"batch", 2}, {"sequence_length", 256}});
    }
    static RepeatResult measuredOn(const config::Trial& trial)
    {
        SilentListener listener;
        CudaInstruments instruments(trial.device.index, trial.memoryLimitBytes);
        instruments.emptyCache();
        return TrialMeasurement(trial, instruments, listener).run();
    }
    static int currentDevice()
    {
        int index = -1;
        cudaGetDevice(&index);
        return index;
    }
};

TEST_F(CudaTrialEdgesTest, aRefusedRequestTellsExactlyWhatWasMissing)
{
    config::Trial limited = trialOf("cuda:0", {{"num_layers", 2}, {"dim", 1024}, {"activation_fn", "gelu"}}, {});
    limited.memoryLimitBytes = 48 * kMiB; // the weights alone are 64 MiB
    const RepeatResult result = measuredOn(limited);
    ASSERT_EQ(result.outcome, Outcome::OutOfMemory) << result.reason;
    ASSERT_TRUE(result.outOfMemory);
    const protocol::OutOfMemoryFacts& facts = *result.outOfMemory;
    EXPECT_EQ(*facts.requestedBytes % (2 * kMiB), 0) << "a segment";
    EXPECT_GE(*facts.reservedBytes, *facts.allocatedBytes);
    EXPECT_GT(*facts.freeBytes, 0);
    // The limit is a fraction of the device's memory for the allocator: it may be off by the last byte.
    EXPECT_NEAR(static_cast<double>(*facts.missingBytes),
        static_cast<double>(*facts.reservedBytes + *facts.requestedBytes - *limited.memoryLimitBytes), 1);
}

TEST_F(CudaTrialEdgesTest, aTrialWorksAfterOneThatRanOutOfMemory)
{
    config::Trial limited = trial("cuda:0");
    limited.memoryLimitBytes = 2 * kMiB;
    EXPECT_EQ(measuredOn(limited).outcome, Outcome::OutOfMemory);
    limited.memoryLimitBytes = profiles().device("h200").memory->totalBytes.value; // more than enough anywhere
    EXPECT_EQ(measuredOn(limited).outcome, Outcome::Completed);
}

TEST_F(CudaTrialEdgesTest, hostMemoryIsThatOfTheSameTrialOnTheProcessor)
{
    const auto withEma = [](const std::string& device, const char* placement, bool isPinned) {
        config::Trial kept = trial(device);
        choose(kept.configuration, "ema", placement, {{"pinned", isPinned}});
        return kept;
    };
    for (const char* placement : {"host", "host:cpu"}) {
        const RepeatResult cuda = measuredOn(withEma("cuda:0", placement, false));
        const RepeatResult cpu = measured(withEma("cpu", placement, false));
        ASSERT_EQ(cuda.outcome, Outcome::Completed) << cuda.reason;
        EXPECT_EQ(cuda.memory.peak.hostPageable, cpu.memory.peak.hostPageable) << placement;
        EXPECT_EQ(cuda.memory.resting.hostPageable, cpu.memory.resting.hostPageable) << placement;
        EXPECT_LE(*cuda.memory.peak.hostPinned, kStagedBytes) << placement;
    }
    const RepeatResult cuda = measuredOn(withEma("cuda:0", "host", true));
    const RepeatResult cpu = measured(withEma("cpu", "host", true));
    EXPECT_NEAR(static_cast<double>(*cuda.memory.resting.hostPinned),
        static_cast<double>(*cpu.memory.resting.hostPinned), kStagedBytes);
    EXPECT_GE(*cuda.memory.peak.hostPinned, *cpu.memory.peak.hostPinned) << "an upper bound";
}

TEST_F(CudaTrialEdgesTest, whereNothingCanBePinnedWeightsRestInPageableMemory)
{
    const tensor::PinnedAllocationScope refusing([](at::IntArrayRef, const at::TensorOptions&) -> at::Tensor {
        TORCH_CHECK(false, "CUDA error: the limit of locked memory is reached");
    });
    openCudaDevice(0);
    // Blocks that an earlier trial freed count until somebody asks whether their copies ended.
    const Bytes before = *CudaInstruments(0, std::nullopt).current().hostPinned;
    config::Trial offloaded = trial("cuda:0", "inference");
    choose(offloaded.configuration, "offload", "block:1", {{"host_memory", "pinned"}});
    const RepeatResult result = measuredOn(offloaded);
    ASSERT_EQ(result.outcome, Outcome::Completed) << result.reason;
    EXPECT_GE(*result.memory.peak.hostPageable, *result.weightBytes);
    EXPECT_LE(*result.memory.peak.hostPinned, before + kStagedBytes);
    EXPECT_THAT(result.effective.at("offload"), testing::HasSubstr("the limit of locked memory is reached"));
}

// The allocator multiplies a fraction by the second, a process may use the first.
TEST_F(CudaTrialEdgesTest, theMemoryThatADeviceTellsIsOneFigure)
{
    openCudaDevice(0);
    std::size_t free = 0;
    std::size_t total = 0;
    ASSERT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
    cudaDeviceProp properties{};
    ASSERT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
    EXPECT_EQ(total, properties.totalGlobalMem);
    if (std::string(properties.name).find("H200") == std::string::npos)
        GTEST_SKIP() << "the profile h200 is not of " << properties.name;
    const auto& memory = *profiles().device("h200").memory;
    const auto mebibytes = [](Bytes bytes) { return static_cast<double>(bytes) / static_cast<double>(kMiB); };
    EXPECT_NEAR(mebibytes(static_cast<Bytes>(total)), mebibytes(memory.usableBytes.value), 32) << "of the profile";
    const at::Tensor something = at::ones({1}, at::TensorOptions().device(at::kCUDA));
    CudaInstruments instruments(0, std::nullopt);
    const protocol::MemoryFigures now = instruments.current();
    EXPECT_NEAR(mebibytes(*now.device - *now.reserved), mebibytes(memory.contextBytes.value), 256)
        << "as far as this process alone uses the device";
}

TEST_F(CudaTrialEdgesTest, theOpenedDeviceIsTheCurrentOne)
{
    openCudaDevice(0);
    EXPECT_EQ(currentDevice(), 0);
    const auto count = static_cast<int>(cudaAvailability().devices.size());
    if (count < 2)
        GTEST_SKIP() << "this machine has one GPU";
    openCudaDevice(1);
    EXPECT_EQ(currentDevice(), 1);
    openCudaDevice(0);
    EXPECT_EQ(currentDevice(), 0);
}

TEST_F(CudaTrialEdgesTest, aSecondDeviceMeasuresWhatTheFirstDoes)
{
    if (cudaAvailability().devices.size() < 2)
        GTEST_SKIP() << "this machine has one GPU";
    const RepeatResult first = measuredOn(trial("cuda:0"));
    const RepeatResult second = measuredOn(trial("cuda:1"));
    ASSERT_EQ(second.outcome, Outcome::Completed) << second.reason;
    EXPECT_EQ(second.memory.peak.allocated, first.memory.peak.allocated);
    EXPECT_GT(second.stepSeconds.front(), 0.0);
}

} // namespace
} // namespace headroom::collectors::cuda_trial_edges_test
