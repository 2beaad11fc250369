// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cuda/CudaInstruments.h"

#include "profiling/collectors/cuda/CudaRuntime.h"
#include "tests/profiling/comparisons/TrialRun.h"

#include <gtest/gtest.h>

namespace headroom::collectors {
namespace {

class CudaInstrumentsTest : public testing::Test {
protected:
    void SetUp() override
    {
        const std::string reason = cudaAvailability().reason;
        if (!reason.empty())
            GTEST_SKIP() << reason;
    }

    static config::Trial trial(const char* step = "inference")
    {
        return trialOf("cuda:0", {{"num_layers", 2}, {"dim", 1024}, {"activation_fn", "gelu"}},
            {{"step", step}, {"batch", 2}, {"sequence_length", 2048}});
    }
    static protocol::RepeatResult measuredOnDevice(const config::Trial& trial)
    {
        SilentListener listener;
        CudaInstruments instruments(0, trial.memoryLimitBytes);
        return TrialMeasurement(trial, instruments, listener).run();
    }
};

TEST_F(CudaInstrumentsTest, aStepIsMeasured)
{
    const protocol::RepeatResult result = measuredOnDevice(trial("forward_backward"));
    ASSERT_EQ(result.outcome, Outcome::Completed) << result.reason;
    EXPECT_GT(*result.memory.peak.allocated, *result.weightBytes);
    EXPECT_GE(*result.memory.peak.reserved, *result.memory.peak.allocated);
    EXPECT_GE(*result.memory.resting.device, *result.memory.resting.reserved);
    ASSERT_EQ(result.stepSeconds.size(), 1U);
    EXPECT_GT(result.stepSeconds.front(), 0.0);
}

TEST_F(CudaInstrumentsTest, splittingSavesWhatTheFormulaSays)
{
    config::Trial plain = trial(), cut = trial();
    split(cut, "4");
    const Bytes tensor = Bytes{2} * 2048 * 1024 * 4;
    // Two inner activations of 4 tensors shrink to a quarter each; the output lives beside them.
    EXPECT_EQ(*measuredOnDevice(plain).memory.peak.allocated - *measuredOnDevice(cut).memory.peak.allocated,
        8 * tensor - (2 * tensor + tensor));
}

TEST_F(CudaInstrumentsTest, theTraceAddsUpToWhatTheAllocatorSays)
{
    CudaInstruments instruments(0, std::nullopt);
    Bytes allocated = 0;
    instruments.observeAllocations([&](const trace::AllocatorEvent& event) {
        if (event.action == trace::Action::Alloc)
            allocated += event.bytes;
        else if (event.action == trace::Action::FreeRequested)
            allocated -= event.bytes;
    });
    const Bytes before = *instruments.current().allocated;
    const at::Tensor kept = at::empty({1 << 20}, at::TensorOptions().device(at::kCUDA).dtype(at::kFloat));
    at::empty({1 << 22}, kept.options());
    const Bytes after = *instruments.current().allocated;
    instruments.observeAllocations(nullptr);
    EXPECT_EQ(allocated, after - before);
}

TEST_F(CudaInstrumentsTest, aLimitEndsInOutOfMemory)
{
    config::Trial limited = trial();
    limited.memoryLimitBytes = 48 * kMiB; // the weights alone are 64 MiB
    const protocol::RepeatResult result = measuredOnDevice(limited);
    EXPECT_EQ(result.outcome, Outcome::OutOfMemory);
    EXPECT_EQ(result.phase, "load");
}

} // namespace
} // namespace headroom::collectors
