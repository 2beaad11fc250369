// SPDX-License-Identifier: Apache-2.0
#include "profiling/measurement/TrialMeasurement.h"

#include "tests/profiling/comparisons/TrialRun.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headroom::collectors::trial_measurement_test {
namespace {

config::Trial tiny(const char* device, const char* step = "inference")
{
    return trialOf(device, {{"num_layers", 2}, {"dim", 32}, {"activation_fn", "geglu"}},
        {{"step", step}, {"batch", 2}, {"sequence_length", 16}});
}

class CancellingListener final : public MeasurementListener {
public:
    explicit CancellingListener(int steps)
        : m_steps(steps)
    {
    }
    void phaseBegan(const std::string& phase, std::int64_t) override { begun.push_back(phase); }
    void stepTimed(std::int64_t step, double seconds) override { timed.emplace_back(step, seconds); }
    bool isCancelled() override { return m_steps-- <= 0; }

    std::vector<std::string> begun;
    std::vector<std::pair<std::int64_t, double>> timed;

private:
    int m_steps;
};

TEST(TrialMeasurementTest, cancellationIsAnOutcomeBetweenTwoSteps)
{
    for (const char* device : {"cpu", "sim:cpu"}) {
        config::Trial trial = tiny(device);
        trial.protocol.warmupSteps = 4;
        CancellingListener listener(3);
        const auto instruments = instrumentsOf(trial);
        const protocol::RepeatResult result = TrialMeasurement(trial, *instruments, listener).run();
        EXPECT_EQ(result.outcome, Outcome::Cancelled) << device;
        EXPECT_EQ(result.reason, "cancelled on request");
        EXPECT_EQ(std::count(listener.begun.begin(), listener.begun.end(), "forward"), 3);
        EXPECT_TRUE(listener.timed.empty());
        EXPECT_EQ(instruments->current().allocated, 0);
    }
}

TEST(TrialMeasurementTest, theListenerHearsOfPhasesAndTimedSteps)
{
    config::Trial trial = tiny("cpu", "train");
    trial.protocol.warmupSteps = 2;
    trial.protocol.steps = 3;
    CancellingListener listener(1000);
    const auto instruments = instrumentsOf(trial);
    const protocol::RepeatResult result = TrialMeasurement(trial, *instruments, listener).run();
    ASSERT_EQ(result.outcome, Outcome::Completed);
    // Loading, the warm-up, five steps of three phases, and the untimed step that counts what is saved for backward.
    ASSERT_EQ(listener.begun.size(), 1U + 1U + (5 + 1) * 3);
    EXPECT_EQ(listener.begun[0], "load");
    EXPECT_EQ(std::vector(listener.begun.begin() + 2, listener.begun.begin() + 5),
        (std::vector<std::string>{"forward", "backward", "optimizer"}));
    ASSERT_EQ(listener.timed.size(), 3U) << "warm-up steps are not timed";
    EXPECT_EQ(listener.timed.front().first, 2);
    EXPECT_EQ(result.stepSeconds.size(), 3U);
    EXPECT_TRUE(result.firstStepSeconds);
    EXPECT_THAT(result.stepSeconds, testing::Each(testing::Gt(0.0)));
}

TEST(TrialMeasurementTest, realStepsAreWarmedUpUntilSteadyAndKept)
{
    config::Trial trial = tiny("cpu", "train");
    trial.protocol = {};
    const protocol::RepeatResult result = measured(trial);
    ASSERT_EQ(result.outcome, Outcome::Completed);
    EXPECT_GE(result.warmupSeconds.size(), 10U);
    EXPECT_EQ(result.warmupSeconds.front(), result.firstStepSeconds);
    EXPECT_EQ(result.stepSeconds.size(), 5U);
    EXPECT_NE(result.isSteady, false) << testing::PrintToString(result.objections);
    const protocol::RepeatMemory& memory = result.memory;
    EXPECT_GE(*memory.wholeRunPeak.allocated, *memory.firstStepPeak.allocated);
    EXPECT_GE(*memory.wholeRunPeak.allocated, *memory.peak.allocated);
    trial.protocol.maxWarmupSteps = 0;
    const protocol::RepeatResult untested = measured(trial);
    EXPECT_EQ(untested.warmupSeconds.size(), 2U);
    EXPECT_FALSE(untested.isSteady);
    EXPECT_EQ(untested.memory.peak.allocated, memory.peak.allocated) << "of the timed steps, however long the warm-up";
    EXPECT_EQ(untested.memory.firstStepPeak.allocated, memory.firstStepPeak.allocated);
    EXPECT_EQ(untested.memory.wholeRunPeak.allocated, memory.wholeRunPeak.allocated);
}

TEST(TrialMeasurementTest, predictionsHaveNothingToWaitFor)
{
    config::Trial trial = tiny("sim:t4");
    trial.protocol = {};
    const protocol::RepeatResult result = measured(trial);
    EXPECT_TRUE(result.warmupSeconds.empty());
    EXPECT_FALSE(result.isSteady);
    EXPECT_TRUE(result.objections.empty());
}

TEST(TrialMeasurementTest, aSimulatedStepTakesTheTimeOfTheCostModel)
{
    const config::Trial trial = trialOf("sim:a100-80gb@torch-2.5", {{"activation_fn", "gelu"}}, {});
    const protocol::RepeatResult result = measured(trial);
    ASSERT_EQ(result.stepSeconds.size(), 1U);
    EXPECT_FALSE(result.firstStepSeconds) << "a prediction knows no cold start";
    // The arithmetic alone at the profile's float32 rate, and at most a quarter more for the element-wise kernels.
    const double flops = 2.0 * 16384 * 5 * 2 * 4096 * 16384;
    const auto model = simulator::CostModel::of(profiles().device("a100-80gb"));
    const double arithmetic = flops / model->flopsPerSecond(simulator::MathType::Float32);
    EXPECT_GT(result.stepSeconds.front(), arithmetic);
    EXPECT_LT(result.stepSeconds.front(), 1.25 * arithmetic);
}

TEST(TrialMeasurementTest, theSimulatedCpuClaimsNoSpeed)
{
    EXPECT_TRUE(measured(tiny("sim:cpu")).stepSeconds.empty());
}

TEST(TrialMeasurementTest, whatADeviceDoesNotHaveIsUnknown)
{
    for (const char* device : {"cpu", "sim:cpu"}) {
        const protocol::RepeatMemory memory = measured(tiny(device)).memory;
        EXPECT_TRUE(memory.peak.allocated) << device;
        EXPECT_FALSE(memory.peak.reserved) << device;
        EXPECT_FALSE(memory.peak.device) << device;
        EXPECT_FALSE(memory.allocRetries) << device;
    }
    EXPECT_TRUE(measured(tiny("cpu")).memory.peak.hostRss);
    EXPECT_FALSE(measured(tiny("sim:cpu")).memory.peak.hostRss) << "the simulating process is not the device's host";
    const protocol::RepeatMemory caching = measured(tiny("sim:a100-80gb")).memory;
    EXPECT_EQ(*caching.peak.device - *caching.peak.reserved, profiles().device("a100-80gb").memory->contextBytes.value);
    EXPECT_EQ(caching.allocRetries, 0);
}

// What one order says of the other is what the other says of itself.
TEST(TrialMeasurementTest, bothOrdersOfAddressesAreSimulatedAtOnce)
{
    const config::Trial trial = tiny("sim:a100-80gb", "train");
    const auto memoryOn = [&](config::SegmentAddresses order) {
        SimulatedInstruments instruments(
            simulator::onPlatform(profiles().parseSimulatedDevice("a100-80gb"), order, "w"), std::nullopt);
        SilentListener listener;
        return TrialMeasurement(trial, instruments, listener).run().memory;
    };
    const protocol::RepeatMemory downward = memoryOn(config::SegmentAddresses::Linux);
    const protocol::RepeatMemory ascending = memoryOn(config::SegmentAddresses::Ascending);
    EXPECT_EQ(downward.segmentAddresses, config::SegmentAddresses::Linux);
    EXPECT_EQ(ascending.segmentAddresses, config::SegmentAddresses::Ascending);
    EXPECT_TRUE(downward.peak.reserved);
    EXPECT_EQ(downward.peak.reservedOtherAddresses, ascending.peak.reserved);
    EXPECT_EQ(ascending.wholeRunPeak.reservedOtherAddresses, downward.wholeRunPeak.reserved);
    EXPECT_EQ(downward.resting.reservedOtherAddresses, ascending.resting.reserved);
    EXPECT_EQ(downward.peak.allocated, ascending.peak.allocated);
    EXPECT_EQ(measured(tiny("sim:cpu")).memory.segmentAddresses, std::nullopt);
}

TEST(TrialMeasurementTest, aTrialsAllocatorSettingsDecideWhatIsReserved)
{
    config::Trial trial = tiny("sim:a100-80gb", "train");
    const protocol::RepeatMemory plain = measured(trial).memory;
    trial.allocator = "large_segment_size_mb:64,expandable_segments:True";
    const protocol::RepeatMemory expandable = measured(trial).memory;
    EXPECT_EQ(expandable.peak.allocated, plain.peak.allocated);
    EXPECT_NE(expandable.peak.reserved, plain.peak.reserved);
    trial.allocator = "roundup_power2_divisions:2";
    EXPECT_GT(measured(trial).memory.peak.allocated, plain.peak.allocated);
}

TEST(TrialMeasurementTest, figuresOfARunAreConsistent)
{
    for (const char* device : {"cpu", "sim:cpu", "sim:a100-80gb"}) {
        const protocol::RepeatResult result = measured(tiny(device, "train"));
        const protocol::RepeatMemory& memory = result.memory;
        EXPECT_EQ(*result.weightBytes, 4 * *result.parameters);
        EXPECT_GE(*memory.afterLoad.allocated, *result.weightBytes);
        EXPECT_GE(*memory.wholeRunPeak.allocated, *memory.peak.allocated);
        EXPECT_GE(*memory.wholeRunPeak.allocated, *memory.firstStepPeak.allocated);
        EXPECT_GE(*memory.peak.allocated, *memory.resting.allocated);
        EXPECT_GE(*memory.resting.allocated, 2 * *result.weightBytes) << "weights and gradients stay";
        EXPECT_THAT(memory.phasePeaks,
            testing::ElementsAre(testing::Key("backward"), testing::Key("forward"), testing::Key("optimizer")));
        Bytes highest = 0;
        for (const auto& [phase, figures] : memory.phasePeaks)
            highest = std::max(highest, *figures.allocated);
        EXPECT_EQ(highest, *memory.peak.allocated);
    }
}

TEST(TrialMeasurementTest, theKeptBaselineGivesTheDeviation)
{
    config::Trial trial = tiny("cpu");
    trial.protocol.keepBaselineOutput = true;
    EXPECT_FALSE(measured(trial).numerics) << "the baseline is not compared with itself";
    split(trial, "4");
    const protocol::RepeatResult result = measured(trial);
    const Bytes output = Bytes{2} * 16 * 32 * 4;
    EXPECT_EQ(result.memory.harness, (std::vector<protocol::HarnessItem>{{"baseline output", output}}));
    ASSERT_TRUE(result.numerics);
    EXPECT_GT(*result.numerics->outputMaxAbs, 0.0) << "another order of summation";
    EXPECT_LT(*result.numerics->outputRelL2, 1e-5);
    trial.device = config::parseDevice("sim:cpu", "");
    EXPECT_FALSE(measured(trial).numerics) << "simulated outputs have no values";
}

TEST(TrialMeasurementTest, theKeptBaselineAddsItsBytesToThePeak)
{
    for (const char* device : {"cpu", "sim:cpu"}) {
        config::Trial trial = tiny(device);
        split(trial, "4");
        const Bytes without = peakOf(trial);
        trial.protocol.keepBaselineOutput = true;
        EXPECT_EQ(peakOf(trial) - without, Bytes{2} * 16 * 32 * 4) << device;
        trial.protocol.keepBaselineModel = true;
        const protocol::RepeatResult both = measured(trial);
        EXPECT_EQ(*both.memory.peak.allocated - without, Bytes{2} * 16 * 32 * 4 + *both.weightBytes) << device;
        EXPECT_LT(both.numerics.value_or(protocol::Numerics{}).outputRelL2.value_or(0.0), 1e-5)
            << "the second model has the same weights";
    }
}

TEST(TrialMeasurementTest, aResidentModelAddsItsWeightsToEveryFigure)
{
    for (const char* device : {"cpu", "sim:cpu"}) {
        config::Trial trial = tiny(device);
        const protocol::RepeatResult without = measured(trial);
        trial.protocol.residentModel = "ltx-video-tiny";
        const protocol::RepeatResult with = measured(trial);
        const config::ModelDescriptor resident = config::findModel("ltx-video-tiny", "");
        const Bytes bytes = 4 * resident.family->parameters(resident.fields.defaults());
        EXPECT_EQ(*with.memory.peak.allocated - *without.memory.peak.allocated, bytes) << device;
        EXPECT_EQ(*with.memory.resting.allocated - *without.memory.resting.allocated, bytes) << device;
        EXPECT_EQ(with.weightBytes, without.weightBytes) << device;
        ASSERT_EQ(with.memory.harness.size(), 1U);
        EXPECT_EQ(with.memory.harness.front().name, "weights of ltx-video-tiny");
        EXPECT_EQ(with.memory.harness.front().bytes, bytes);
    }
}

TEST(TrialMeasurementTest, engagementAndEffectAreReported)
{
    config::Trial trial = tiny("sim:cpu");
    split(trial, "tokens:4");
    const protocol::RepeatResult result = measured(trial);
    EXPECT_EQ(result.engagement.at("split_ffn"),
        (std::map<std::string, std::int64_t>{{"layers_split", 2}, {"slices_recomputed", 0}, {"slices_run", 8}}));
    EXPECT_EQ(
        result.effective.at("split_ffn"), "2 feed-forward layers in 4 slices of the tokens, accumulated in place");
}

/// Adds up what the trace says.
class AddingSink final : public TraceSink {
public:
    void event(const trace::AllocatorEvent& event) override
    {
        if (event.action == trace::Action::Alloc)
            peakBytes = std::max(peakBytes, liveBytes += event.bytes);
        else if (event.action == trace::Action::FreeRequested)
            liveBytes -= event.bytes;
    }
    void phase(const trace::PhaseSpan& span) override
    {
        EXPECT_LE(span.beginNs, span.endNs);
        phases.push_back(span.name);
    }
    void owner(trace::OwnerId, const trace::MemoryOwner&) override { }
    void records(const trace::DeviceRecords&) override { }
    void lost(const std::string& what) override { ADD_FAILURE() << what; }

    Bytes liveBytes = 0;
    Bytes peakBytes = 0;
    std::vector<std::string> phases;
};

TEST(TrialMeasurementTest, theTraceAddsUpToThePeak)
{
    for (const char* device : {"cpu", "sim:cpu", "sim:a100-80gb"}) {
        const config::Trial trial = tiny(device, "forward_backward");
        AddingSink sink;
        SilentListener listener;
        const auto instruments = instrumentsOf(trial);
        TrialMeasurement measurement(trial, *instruments, listener);
        measurement.setTraceSink(&sink);
        const protocol::RepeatResult result = measurement.run();
        // Simulated runs are traced from the beginning, measured ones for one step after the last timed one.
        const auto& traced = trial.device.isSimulated() ? result.memory.wholeRunPeak : result.memory.peak;
        EXPECT_EQ(sink.peakBytes, *traced.allocated) << device;
        EXPECT_EQ(sink.liveBytes, *result.memory.resting.allocated) << device;
        EXPECT_THAT(sink.phases, testing::IsSupersetOf({"forward", "backward"})) << device;
    }
}

TEST(TrialMeasurementTest, tracingDoesNotChangeTheFigures)
{
    for (const char* device : {"sim:cpu", "sim:a100-80gb"}) {
        const config::Trial trial = tiny(device, "forward_backward");
        const protocol::RepeatResult untraced = measured(trial);
        AddingSink sink;
        SilentListener listener;
        const auto instruments = instrumentsOf(trial);
        TrialMeasurement measurement(trial, *instruments, listener);
        measurement.setTraceSink(&sink);
        EXPECT_TRUE(measurement.run() == untraced) << device;
    }
}

} // namespace
} // namespace headroom::collectors::trial_measurement_test
