// SPDX-License-Identifier: Apache-2.0
//
// EMA through the real measurement: measured against simulated, and against closed forms.
#include "tests/profiling/comparisons/TracedRun.h"

#include "tests/support/Configurations.h"

#include <gtest/gtest.h>

namespace headroom::collectors::ema_test {
namespace {

struct Case {
    std::string ema = "off";
    config::ValueMap options{};
    std::string dtype = "float32";
    std::string checkpointing = "none";
    int accumulate = 1;

    config::Trial trial(const std::string& device) const
    {
        config::Trial result = trialOf(device, {{"num_layers", 3}, {"dim", 32}, {"mult", 4}},
            {{"step", "train"}, {"dtype", dtype}, {"batch", 2}, {"sequence_length", 4}, {"accumulate", accumulate}});
        checkpoint(result, checkpointing);
        choose(result.configuration, "ema", ema, options);
        return result;
    }
    std::string text() const
    {
        std::string text = ema + " " + dtype + " " + checkpointing;
        for (const auto& [name, value] : options)
            text += " " + name + " " + config::toLabel(value);
        return text;
    }
    Case with(const std::string& name, const config::Value& value) const
    {
        Case other = *this;
        other.options[name] = value;
        return other;
    }
};

const char* const kModes[]{"loop", "foreach", "foreach_no_temporary"};

std::vector<Case> placements()
{
    return {{"device"}, {"host"}, {"host", {{"blocking", true}}}, {"host", {{"pinned", false}}}, {"host:async"},
        {"host:async", {{"slice_bytes", 4096}}}, {"host:cpu"}, {"host:cpu", {{"pinned", true}}}};
}

// Three gated layers: a projection to twice 128 and one from 128 back to 32, with biases.
constexpr Bytes kParameterBytes = 4 * 3 * (32 * 256 + 256 + 128 * 32 + 32);
constexpr Bytes kLargestParameterBytes = 4 * 32 * 256;

void expectEqual(const Case& tried)
{
    SCOPED_TRACE(tried.text());
    const protocol::RepeatResult cpu = measured(tried.trial("cpu")), simulated = measured(tried.trial("sim:cpu"));
    ASSERT_EQ(cpu.outcome, Outcome::Completed) << cpu.reason;
    EXPECT_EQ(cpu.memory.peak.allocated, simulated.memory.peak.allocated);
    EXPECT_EQ(cpu.memory.peak.hostPinned, simulated.memory.peak.hostPinned);
    EXPECT_EQ(cpu.memory.resting.allocated, simulated.memory.resting.allocated);
    EXPECT_EQ(cpu.memory.phasePeaks.at("ema").allocated, simulated.memory.phasePeaks.at("ema").allocated);
    EXPECT_EQ(cpu.memory.phasePeaks.at("forward").allocated, simulated.memory.phasePeaks.at("forward").allocated);
    EXPECT_EQ(cpu.engagement, simulated.engagement);
    EXPECT_EQ(cpu.effective, simulated.effective);
}

TEST(EmaTest, simulatedPeaksAreTheMeasuredOnesToTheByte)
{
    for (const Case& placement : placements())
        for (const char* mode : kModes)
            expectEqual(placement.with("mode", mode));
}

TEST(EmaTest, simulatedPeaksWithOtherTechniquesAreTheMeasuredOnesToTheByte)
{
    for (Case placement : placements()) {
        placement.checkpointing = "all";
        placement.dtype = "bfloat16";
        placement.accumulate = 2;
        expectEqual(placement.with("decays", config::Value::List{"0.5", "0.9"}).with("interval", 2));
    }
}

Bytes allocated(const protocol::MemoryFigures& figures)
{
    return figures.allocated.value_or(-1);
}

/// Bytes of the device beside those of the same trial without EMA: between steps, and at the peak of its phase beside
/// what rests.
struct DeviceCost {
    Bytes resting = 0;
    Bytes update = 0;
    bool operator==(const DeviceCost&) const = default;
};

void PrintTo(const DeviceCost& cost, std::ostream* out)
{
    *out << "resting " << cost.resting << ", update " << cost.update;
}

DeviceCost costOf(const Case& tried, const std::string& device)
{
    const protocol::RepeatResult result = measured(tried.trial(device));
    const protocol::RepeatResult plain = measured(Case{}.trial(device));
    // In the phase "ema" the gradients are alive as they are when the optimizer runs.
    const Bytes before = allocated(plain.memory.phasePeaks.at("optimizer"));
    const Bytes resting = allocated(result.memory.resting) - allocated(plain.memory.resting);
    return {resting, allocated(result.memory.phasePeaks.at("ema")) - before - resting};
}

// The figures of docs/techniques/ema.md, "What an update costs".
TEST(EmaTest, aShadowOnTheDeviceCostsItselfAndTheTemporaryOfItsMode)
{
    for (const char* device : {"cpu", "sim:cpu"}) {
        EXPECT_EQ(
            costOf({"device", {{"mode", "loop"}}}, device), (DeviceCost{kParameterBytes, kLargestParameterBytes}));
        EXPECT_EQ(costOf({"device", {{"mode", "foreach"}}}, device), (DeviceCost{kParameterBytes, kParameterBytes}));
        EXPECT_EQ(costOf({"device", {{"mode", "foreach_no_temporary"}}}, device), (DeviceCost{kParameterBytes, 0}));
        EXPECT_EQ(
            costOf({"device", {{"mode", "foreach_no_temporary"}, {"decays", config::Value::List{"0.5", "0.6", "0.7"}}}},
                device),
            (DeviceCost{3 * kParameterBytes, 0}));
    }
}

TEST(EmaTest, aShadowOnTheHostCostsTheDeviceAWholeCopyWhileItIsUpdated)
{
    for (const char* device : {"cpu", "sim:cpu"})
        for (const bool pinned : {true, false}) {
            const Case host = Case{"host"}.with("pinned", pinned);
            EXPECT_EQ(
                costOf(host.with("mode", "loop"), device), (DeviceCost{0, kParameterBytes + kLargestParameterBytes}));
            EXPECT_EQ(costOf(host.with("mode", "foreach"), device), (DeviceCost{0, 2 * kParameterBytes}));
            EXPECT_EQ(costOf(host.with("mode", "foreach_no_temporary"), device), (DeviceCost{0, kParameterBytes}));
        }
}

TEST(EmaTest, aShadowInSlicesCostsTheDeviceTwoSlicesWhateverTheMode)
{
    for (const char* device : {"cpu", "sim:cpu"})
        for (const char* mode : kModes)
            for (const std::int64_t slice : {4096, 8192}) {
                const Case sliced = Case{"host:async"}.with("mode", mode).with("slice_bytes", slice);
                EXPECT_EQ(costOf(sliced, device), (DeviceCost{2 * slice, 0})) << sliced.text();
                EXPECT_EQ(costOf(sliced.with("decays", config::Value::List{"0.5", "0.6"}), device),
                    (DeviceCost{2 * slice, 0}));
            }
}

TEST(EmaTest, aShadowThatTheParametersComeToCostsTheDeviceNothing)
{
    for (const char* device : {"cpu", "sim:cpu"})
        for (const char* mode : kModes)
            EXPECT_EQ(costOf(Case{"host:cpu"}.with("mode", mode), device), (DeviceCost{0, 0})) << mode;
}

// The temporary is one parameter, then all of them, then nothing; other allocations of the phase do not change it.
TEST(EmaTest, theTemporaryOfForeachShowsInThePeakOfASimulatedGpu)
{
    const auto peak = [](const char* mode) {
        return allocated(measured(Case{"device", {{"mode", mode}}}.trial("sim:a100-80gb")).memory.phasePeaks.at("ema"));
    };
    EXPECT_EQ(peak("foreach") - peak("foreach_no_temporary"), 3 * (32768 + 1024 + 16384 + 512));
    EXPECT_EQ(peak("loop") - peak("foreach_no_temporary"), 32768);
}

TEST(EmaTest, pinnedMemoryIsTakenOnceAndNeverInAStep)
{
    for (const char* device : {"cpu", "sim:cpu", "sim:a100-80gb"})
        for (const Case& placement : placements()) {
            const protocol::RepeatResult result = measured(placement.trial(device));
            EXPECT_EQ(result.engagement.at("ema").at("pinned_allocations"), 0) << placement.text();
            EXPECT_EQ(result.memory.peak.hostPinned, result.memory.resting.hostPinned) << placement.text();
        }
    EXPECT_GE(measured(Case{"host"}.trial("sim:a100-80gb")).memory.peak.hostPinned.value_or(0), kParameterBytes);
    EXPECT_EQ(measured(Case{"host:cpu"}.trial("sim:a100-80gb")).memory.peak.hostPinned.value_or(0), 0);
}

TEST(EmaTest, countersOfAStepAfterWarmUp)
{
    const auto counters = [](const Case& tried) { return measured(tried.trial("sim:cpu")).engagement.at("ema"); };
    for (const Case& placement : placements())
        EXPECT_EQ(counters(placement).at("updates"), 1) << placement.text();
    EXPECT_EQ(counters({"host"}).at("bytes_to_device"), kParameterBytes);
    EXPECT_EQ(counters({"host"}).at("bytes_to_host"), kParameterBytes);
    EXPECT_EQ(counters({"host:async"}).at("bytes_to_device"), kParameterBytes);
    EXPECT_EQ(counters({"host:async"}).at("bytes_to_host"), kParameterBytes);
    EXPECT_EQ(counters({"host:cpu"}).at("bytes_to_device"), 0);
    EXPECT_EQ(counters({"host:cpu"}).at("bytes_to_host"), kParameterBytes);
    EXPECT_EQ(counters(Case{"host"}.with("decays", config::Value::List{"0.5", "0.6"})).at("updates"), 2);
}

TEST(EmaTest, everyByteOfItIsItsOwn)
{
    for (const char* device : {"cpu", "sim:cpu"}) {
        KeptTrace trace;
        const protocol::RepeatResult result = traced(
            Case{"device", {{"mode", "foreach"}, {"decays", config::Value::List{"0.1", "0.2", "0.3"}}}}.trial(device),
            trace);
        ASSERT_TRUE(result.breakdown) << testing::PrintToString(result.diagnostics);
        EXPECT_EQ(result.breakdown->phase, "ema");
        EXPECT_EQ(bytesOf(result.breakdown->categories, "ema"), 4 * kParameterBytes);
        EXPECT_EQ(bytesOf(result.breakdown->techniques, "ema"), 4 * kParameterBytes);
        EXPECT_EQ(bytesOf(result.breakdown->categories, "unknown"), 0);
        EXPECT_TRUE(result.breakdown->leaks.empty());
    }
}

// On a simulated GPU copies that nothing waits for are hidden behind the step: with time to hide behind, slices cost
// less than the whole shadow there and back.
TEST(EmaTest, slicesBesideTheStepCostLessTimeThanTheWholeShadow)
{
    const auto seconds = [](const Case& tried) {
        config::Trial trial = tried.trial("sim:rtx4090");
        trial.configuration.modelFields["dim"] = 1024;
        trial.configuration.workload.shapes["sequence_length"] = 1024;
        return measured(trial).stepSeconds.front();
    };
    const double none = seconds({}), whole = seconds({"host"}) - none, sliced = seconds({"host:async"}) - none;
    EXPECT_GT(whole, 0);
    EXPECT_LT(sliced, 0.5 * whole);
}

// An update every tenth step is in the peak and the counters like one in each, whatever step is timed.
TEST(EmaTest, anUpdateThatNotEveryStepHasIsSeen)
{
    for (const char* device : {"cpu", "sim:cpu", "sim:rtx4090"})
        for (const char* placement : {"host", "host:async", "device"}) {
            const Case each{.ema = placement};
            const auto always = measured(each.trial(device)),
                       seldom = measured(each.with("interval", 10).trial(device));
            EXPECT_EQ(seldom.memory.peak.allocated, always.memory.peak.allocated) << placement << " on " << device;
            EXPECT_EQ(seldom.engagement.at("ema"), always.engagement.at("ema")) << placement << " on " << device;
        }
}

TEST(EmaTest, aStepTimeIsTheMeanOfThoseWithAndWithoutAnUpdate)
{
    const auto seconds = [](const char* ema, int interval) {
        const Case tried{.ema = ema};
        const Case set = std::string(ema) == "off" ? tried : tried.with("interval", interval);
        return measured(set.trial("sim:rtx4090")).stepSeconds.front();
    };
    const double plain = seconds("off", 1), each = seconds("host", 1), tenth = seconds("host", 10);
    EXPECT_GT(each, plain);
    EXPECT_NEAR(tenth, plain + (each - plain) / 10, 1e-9);
}

} // namespace
} // namespace headroom::collectors::ema_test
