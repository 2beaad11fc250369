// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cuda/CudaInstruments.h"

#include "profiling/collectors/cuda/CudaRuntime.h"
#include "profiling/trace/peaks/Fragmentation.h"
#include "profiling/trace/peaks/SegmentFollower.h"
#include "tests/profiling/comparisons/TracedRun.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>

namespace headroom::collectors::cuda_instruments_test {
namespace {

namespace caching = c10::cuda::CUDACachingAllocator;

// Float32 tensors of this many bytes.
at::Tensor tensorOf(Bytes bytes)
{
    return at::empty({bytes / 4}, at::TensorOptions().device(at::kCUDA).dtype(at::kFloat));
}

/// Allocated and reserved bytes, and free memory, from the events of a trace.
class Tally {
public:
    void observe(Instruments& instruments)
    {
        instruments.observeAllocations([this](const trace::AllocatorEvent& event) {
            live.apply(event);
            actions.push_back(event.action);
        });
    }

    trace::SegmentFollower live{trace::SegmentState{}};
    std::vector<trace::Action> actions;
};

/// Segments grow while this lives; earlier ones stay as they are.
class GrowingSegments {
public:
    GrowingSegments() { c10::CachingAllocator::setAllocatorSettings("expandable_segments:True"); }
    ~GrowingSegments() { c10::CachingAllocator::setAllocatorSettings("expandable_segments:False"); }
    GrowingSegments(const GrowingSegments&) = delete;
    GrowingSegments& operator=(const GrowingSegments&) = delete;
};

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

// Tensors of the first tests may live on, as workspaces do; the trace begins with all that lives.
TEST_F(CudaInstrumentsTest, theTraceAddsUpToWhatTheAllocatorSays)
{
    CudaInstruments instruments(0, std::nullopt);
    for (int round = 0; round < 2; ++round) {
        Tally tally;
        tally.observe(instruments);
        std::vector<at::Tensor> kept;
        for (const Bytes bytes : {4 * kMiB, 12 * kMiB - 4000, 100 * kMiB + 4, 700 * kKiB, Bytes{4}}) {
            kept.push_back(tensorOf(bytes));
            static_cast<void>(tensorOf(3 * bytes / 4 * 4));
        }
        instruments.observeAllocations(nullptr);
        const protocol::MemoryFigures figures = instruments.current();
        EXPECT_EQ(tally.live.counters().allocated, figures.allocated);
        EXPECT_EQ(tally.live.counters().reserved, figures.reserved);
        EXPECT_TRUE(trace::fragmentationOf(tally.live.state()).splitBytes) << "segments and blocks agree with the sums";
        EXPECT_THAT(instruments.stopCapture().losses, testing::IsEmpty());
    }
}

TEST_F(CudaInstrumentsTest, segmentsThatGrowAreToldAsMapped)
{
    CudaInstruments instruments(0, std::nullopt);
    instruments.emptyCache();
    const GrowingSegments growing;
    const at::Tensor early = tensorOf(30 * kMiB);
    const Bytes granted = *instruments.current().reserved;
    Tally tally;
    tally.observe(instruments);
    if (std::ranges::find(tally.actions, trace::Action::SegmentMap) == tally.actions.end()) {
        instruments.observeAllocations(nullptr);
        GTEST_SKIP() << "segments do not grow on this platform";
    }
    EXPECT_EQ(tally.live.counters().reserved, granted);
    {
        const at::Tensor later = tensorOf(70 * kMiB + 4);
        static_cast<void>(tensorOf(50 * kMiB));
    }
    instruments.emptyCache();
    instruments.observeAllocations(nullptr);
    EXPECT_THAT(tally.actions, testing::Contains(trace::Action::SegmentUnmap));
    EXPECT_EQ(tally.live.counters().allocated, instruments.current().allocated);
    EXPECT_EQ(tally.live.counters().reserved, instruments.current().reserved);
    EXPECT_TRUE(trace::fragmentationOf(tally.live.state()).splitBytes) << "every stretch is known";
    EXPECT_THAT(instruments.stopCapture().losses, testing::IsEmpty());
}

TEST_F(CudaInstrumentsTest, theBreakdownSumsToThePeak)
{
    for (const char* step : {"inference", "forward_backward", "train"}) {
        SCOPED_TRACE(step);
        config::Trial steady = trial(step);
        steady.protocol.warmupSteps = 3;
        KeptTrace sink;
        CudaInstruments instruments(0, std::nullopt);
        SilentListener listener;
        TrialMeasurement measurement(steady, instruments, listener);
        measurement.setTraceSink(&sink);
        measurement.setComparison(Comparison::Off);
        const protocol::RepeatResult result = measurement.run();
        ASSERT_EQ(result.outcome, Outcome::Completed) << result.reason;
        ASSERT_TRUE(result.breakdown) << testing::PrintToString(result.diagnostics);
        EXPECT_THAT(sink.losses, testing::IsEmpty());
        EXPECT_EQ(result.breakdown->totalBytes, result.memory.peak.allocated);
        const auto& categories = result.breakdown->categories;
        EXPECT_EQ(std::accumulate(categories.begin(), categories.end(), Bytes{0},
                      [](Bytes sum, const auto& category) { return sum + category.second; }),
            result.breakdown->totalBytes);
        ASSERT_TRUE(result.breakdown->requestedBytes);
        EXPECT_LE(*result.breakdown->requestedBytes, *result.memory.peak.requested);
    }
}

// The allocator takes exactly the limit, which a segment of that size shows, and not a segment more.
TEST_F(CudaInstrumentsTest, aLimitIsGrantedToTheByteAndLiftedInTheEnd)
{
    std::optional<Bytes> reserved;
    {
        CudaInstruments instruments(0, std::nullopt);
        instruments.emptyCache();
        reserved = instruments.current().reserved;
    }
    {
        const CudaInstruments limited(0, *reserved + 64 * kMiB);
        const at::Tensor fits = tensorOf(64 * kMiB);
        EXPECT_THROW(tensorOf(32 * kMiB), c10::OutOfMemoryError);
    }
    EXPECT_EQ(caching::getMemoryFraction(0), 1.0);
    EXPECT_NO_THROW(tensorOf(256 * kMiB));
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
} // namespace headroom::collectors::cuda_instruments_test
