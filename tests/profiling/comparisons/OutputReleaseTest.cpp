// SPDX-License-Identifier: Apache-2.0
//
// The model's output after the loss, and gradients after the step: what goes, what stays, measured against simulated.
#include "core/models/families/ModelZoo.h"
#include "core/tensor/DeviceContext.h"
#include "tests/profiling/comparisons/TracedRun.h"
#include "tests/support/Configurations.h"

#include <gtest/gtest.h>

namespace headroom::collectors::output_release_test {
namespace {

/// A step with a backward pass.
struct Case {
    std::string model;
    config::ValueMap workload;
    std::map<std::string, std::string> techniques{};

    config::Trial trial(const std::string& device, const std::string& output) const
    {
        config::ValueMap values = workload;
        values["output"] = output;
        config::Trial trial = trialOfModel(model, device, {}, values);
        for (const auto& [key, notation] : techniques)
            choose(trial.configuration, key, notation);
        return trial;
    }

    std::string text() const
    {
        return model + " " + config::toLabel(workload.at("loss")) + " "
            + config::techniqueLabel(trial("cpu", "held").configuration);
    }
};

// Pieces of equal size and not; the head trained and frozen.
void addInChunks(std::vector<Case>& result, const char* step, const char* dtype)
{
    for (const int chunks : {2, 4}) {
        const config::ValueMap workload{
            {"step", step}, {"dtype", dtype}, {"loss", "cross_entropy"}, {"chunks", chunks}, {"sequence_length", 14}};
        result.push_back({"llama-tiny", workload, {{"optimizer", "adamw"}}});
        result.push_back({"llama-tiny", workload, {{"trainable", "lora:2"}, {"checkpointing", "all"}}});
    }
}

std::vector<Case> cases()
{
    std::vector<Case> result;
    for (const char* step : {"forward_backward", "train"})
        for (const char* dtype : {"float32", "bfloat16"}) {
            const auto add = [&](const char* model, const char* loss, std::map<std::string, std::string> techniques) {
                result.push_back({model, {{"step", step}, {"dtype", dtype}, {"loss", loss}}, std::move(techniques)});
            };
            add("ffn-stack-tiny", "mean", {});
            add("ffn-stack-tiny", "mse", {{"split_ffn", "4:recompute"}});
            add("ltx-video-tiny", "mse", {{"checkpointing", "all"}, {"optimizer", "adamw:foreach"}});
            add("llama-tiny", "cross_entropy", {{"optimizer", "adamw"}});
            add("llama-tiny", "cross_entropy", {{"trainable", "lora:2"}, {"checkpointing", "all"}});
            addInChunks(result, step, dtype);
        }
    result.push_back({"llama-tiny", {{"step", "train"}, {"loss", "cross_entropy"}, {"accumulate", 3}}});
    return result;
}

Bytes outputBytes(const config::Trial& trial)
{
    const at::TensorOptions options =
        tensor::tensorOptions(config::parseDevice("cpu", ""), trial.configuration.workload.dtype).device(at::kMeta);
    const auto model = models::buildModel(trial.configuration, options);
    return static_cast<Bytes>(model->forward(models::makeInputs(trial.configuration, options)).nbytes());
}

Bytes phasePeak(const protocol::RepeatResult& result, const std::string& phase)
{
    EXPECT_EQ(result.outcome, Outcome::Completed) << result.reason;
    return result.memory.phasePeaks.at(phase).allocated.value_or(-1);
}

// It is there all through backward pass and update, or not at all; the loss is made of it in any case.
TEST(OutputReleaseTest, aHeldOutputLiesBeneathEverythingAfterTheLoss)
{
    for (const Case& item : cases())
        for (const char* device : {"cpu", "sim:cpu"}) {
            SCOPED_TRACE(item.text() + " on " + device);
            const config::Trial trial = item.trial(device, "released");
            const protocol::RepeatResult released = measured(trial);
            const protocol::RepeatResult held = measured(item.trial(device, "held"));
            const Bytes output = outputBytes(trial);
            EXPECT_EQ(phasePeak(held, "backward") - phasePeak(released, "backward"), output);
            if (trial.configuration.workload.step == config::StepKind::Train) {
                EXPECT_EQ(phasePeak(held, "optimizer") - phasePeak(released, "optimizer"), output);
            }
            EXPECT_EQ(phasePeak(held, "forward"), phasePeak(released, "forward"));
            EXPECT_EQ(held.memory.resting.allocated, released.memory.resting.allocated);
            EXPECT_EQ(held.memory.savedForBackward, released.memory.savedForBackward);
        }
}

TEST(OutputReleaseTest, peaksAreTheMeasuredOnesEitherWay)
{
    for (const Case& item : cases())
        for (const char* output : {"released", "held"}) {
            SCOPED_TRACE(item.text() + " " + output);
            const protocol::RepeatResult cpu = measured(item.trial("cpu", output));
            const protocol::RepeatResult simulated = measured(item.trial("sim:cpu", output));
            EXPECT_EQ(simulated.memory.peak.allocated, cpu.memory.peak.allocated);
            EXPECT_EQ(simulated.memory.firstStepPeak.allocated, cpu.memory.firstStepPeak.allocated);
            EXPECT_EQ(simulated.memory.resting.allocated, cpu.memory.resting.allocated);
            EXPECT_EQ(simulated.memory.restingCleared.allocated, cpu.memory.restingCleared.allocated);
        }
}

// With a large vocabulary the loss decides. Of T tokens and V words in bfloat16 the whole needs 2TV of logits and 4TV
// raised when the log-softmax of 4TV is taken; in N chunks 2TV, 4TV of log-softmax and 4TV / N raised.
TEST(OutputReleaseTest, inChunksOnePieceIsRaisedAtATime)
{
    constexpr std::int64_t kTokens = 64, kWords = 4096, kChunks = 8;
    for (const char* device : {"cpu", "sim:cpu", "sim:a100-80gb"}) {
        const auto peakIn = [&](std::int64_t chunks) {
            config::Trial trial = trialOfModel("llama-tiny", device, {},
                {{"step", "train"}, {"dtype", "bfloat16"}, {"loss", "cross_entropy"}, {"batch", 1},
                    {"sequence_length", kTokens}, {"chunks", chunks}});
            trial.configuration.modelFields["vocab_size"] = kWords;
            choose(trial.configuration, "trainable", "lora:2");
            return phasePeak(measured(trial), "forward");
        };
        const Bytes raised = 4 * kTokens * kWords;
        EXPECT_NEAR(static_cast<double>(peakIn(1) - peakIn(kChunks)), static_cast<double>(raised - raised / kChunks),
            0.05 * static_cast<double>(raised))
            << device;
    }
}

std::vector<Case> fusedCases()
{
    std::vector<Case> result;
    for (const char* dtype : {"float32", "bfloat16"})
        for (const int chunks : {1, 3})
            for (const char* trainable : {"all", "lora:2"})
                for (const char* autocast : {"off", "bfloat16"})
                    result.push_back({"llama-tiny",
                        {{"step", "train"}, {"dtype", dtype}, {"loss", "cross_entropy"}, {"chunks", chunks},
                            {"fused", true}, {"autocast", autocast}, {"sequence_length", 14}},
                        {{"trainable", trainable}, {"optimizer", "adamw"}}});
    return result;
}

TEST(OutputReleaseTest, peaksOfAFusedLossAreTheMeasuredOnes)
{
    for (const Case& item : fusedCases()) {
        SCOPED_TRACE(item.text());
        const protocol::RepeatResult cpu = measured(item.trial("cpu", "released"));
        const protocol::RepeatResult simulated = measured(item.trial("sim:cpu", "released"));
        EXPECT_EQ(simulated.memory.peak.allocated, cpu.memory.peak.allocated);
        EXPECT_EQ(simulated.memory.firstStepPeak.allocated, cpu.memory.firstStepPeak.allocated);
        EXPECT_EQ(simulated.memory.savedForBackward, cpu.memory.savedForBackward);
    }
}

// Of T tokens and V words in bfloat16 the plain loss needs 10 TV at once (logits, raised, log-softmax), the fused one 2
// TV / 8 of logits, 1 / 32 of them twice in float32, and the gradient of the hidden states.
TEST(OutputReleaseTest, aFusedLossKeepsNoLogits)
{
    constexpr std::int64_t kTokens = 256, kWords = 65536;
    for (const char* device : {"cpu", "sim:cpu", "sim:a100-80gb"}) {
        const auto peakOf = [&](bool fused) {
            config::Trial trial = trialOfModel("llama-tiny", device, {},
                {{"step", "train"}, {"dtype", "bfloat16"}, {"loss", "cross_entropy"}, {"batch", 1},
                    {"sequence_length", kTokens}, {"chunks", fused ? 8 : 1}, {"fused", fused}});
            trial.configuration.modelFields["vocab_size"] = kWords;
            choose(trial.configuration, "trainable", "lora:2");
            return static_cast<double>(phasePeak(measured(trial), "forward"));
        };
        const double words = static_cast<double>(kTokens) * kWords;
        EXPECT_NEAR(peakOf(false) - peakOf(true), (10 - 2.0 / 8 - 8.0 / 8 / 32) * words, 0.05 * 10 * words) << device;
    }
}

// What trainers run in the memory that there is, and was said not to fit.
TEST(OutputReleaseTest, whatFitsWithoutTheOutputIsNotSaidToBeOutOfMemory)
{
    const Case item{"llama-tiny", {{"step", "train"}, {"loss", "cross_entropy"}, {"sequence_length", 128}}};
    for (const char* device : {"cpu", "sim:cpu"}) {
        config::Trial released = item.trial(device, "released");
        const Bytes limit = *measured(released).memory.wholeRunPeak.allocated + outputBytes(released) / 2;
        config::Trial held = item.trial(device, "held");
        released.memoryLimitBytes = held.memoryLimitBytes = limit;
        EXPECT_EQ(measured(released).outcome, Outcome::Completed) << device;
        EXPECT_EQ(measured(held).outcome, Outcome::OutOfMemory) << device;
    }
}

TEST(OutputReleaseTest, inferenceIsTheSameWhateverIsSaid)
{
    for (const char* device : {"cpu", "sim:cpu"}) {
        const Case item{"llama-tiny", {{"step", "inference"}, {"loss", "mean"}}};
        EXPECT_EQ(phasePeak(measured(item.trial(device, "held")), "forward"),
            phasePeak(measured(item.trial(device, "released")), "forward"))
            << device;
    }
}

TEST(OutputReleaseTest, theNumbersAreTheSame)
{
    const Case item{"llama-tiny", {{"step", "train"}, {"loss", "cross_entropy"}}, {{"checkpointing", "all"}}};
    const auto numerics = [&](const char* output) { return measured(item.trial("cpu", output)).numerics; };
    ASSERT_TRUE(numerics("released"));
    EXPECT_EQ(numerics("released"), numerics("held"));
    EXPECT_TRUE(numerics("released")->outputRelL2) << "compared all the same";
}

// Without techniques gradients are as large as the weights.
TEST(RestingClearedTest, isWhatRestsWithoutGradients)
{
    for (const char* device : {"cpu", "sim:cpu"})
        for (const char* gradients : {"set_to_none", "zero", "keep"}) {
            const Case item{"ffn-stack-tiny", {{"step", "train"}, {"loss", "mean"}, {"gradients", gradients}},
                {{"optimizer", "adamw"}}};
            KeptTrace trace;
            const protocol::RepeatResult result = traced(item.trial(device, "released"), trace);
            EXPECT_EQ(*result.memory.resting.allocated - *result.memory.restingCleared.allocated, *result.weightBytes)
                << device << ' ' << gradients;
            EXPECT_TRUE(result.breakdown && result.breakdown->leaks.empty());
        }
}

/// A processor on which a trace leaves something behind.
class KeepingInstruments final : public Instruments {
public:
    std::chrono::nanoseconds now() override { return m_cpu.now(); }
    void synchronise() override { }
    protocol::MemoryFigures current() override
    {
        protocol::MemoryFigures figures = m_cpu.current();
        *figures.allocated += m_kept;
        return figures;
    }
    protocol::MemoryFigures peak() override { return m_cpu.peak(); }
    void resetPeak() override { m_cpu.resetPeak(); }
    void emptyCache() override { }
    std::optional<std::int64_t> allocRetries() override { return std::nullopt; }
    std::optional<Bytes> limit() override { return std::nullopt; }
    void observeAllocations(TraceObserver observer) override
    {
        m_kept = 12345;
        m_cpu.observeAllocations(std::move(observer));
    }

private:
    CpuInstruments m_cpu{std::nullopt};
    Bytes m_kept = 0;
};

TEST(RestingClearedTest, hasNothingOfWhatTracedStepsLeave)
{
    const config::Trial trial = Case{"ffn-stack-tiny", {{"step", "train"}, {"loss", "mean"}}}.trial("cpu", "released");
    SilentListener listener;
    KeepingInstruments instruments;
    TrialMeasurement measurement(trial, instruments, listener);
    const protocol::RepeatResult result = measurement.run();
    EXPECT_EQ(*result.memory.resting.allocated - *result.memory.restingCleared.allocated, *result.weightBytes);
}

TEST(RestingClearedTest, isTheSameWhereThereAreNoGradients)
{
    for (const char* device : {"cpu", "sim:cpu"}) {
        const protocol::RepeatResult result =
            measured(Case{"ffn-stack-tiny", {{"step", "inference"}, {"loss", "mean"}}}.trial(device, "released"));
        EXPECT_EQ(result.memory.restingCleared.allocated, result.memory.resting.allocated) << device;
        EXPECT_TRUE(result.memory.restingCleared.allocated) << device;
    }
}

// Gradients go back to the allocator's cache.
TEST(RestingClearedTest, theCacheKeepsWhatItHas)
{
    const Case item{"llama-tiny", {{"step", "train"}, {"loss", "cross_entropy"}}};
    const protocol::RepeatResult result = measured(item.trial("sim:a100-80gb", "released"));
    EXPECT_LT(*result.memory.restingCleared.allocated, *result.memory.resting.allocated);
    EXPECT_EQ(result.memory.restingCleared.reserved, result.memory.resting.reserved);
}

TEST(RestingClearedTest, isUnknownOfATrialThatDidNotComplete)
{
    const Case item{"ffn-stack-tiny", {{"step", "train"}, {"loss", "mean"}}};
    config::Trial trial = item.trial("sim:cpu", "released");
    trial.memoryLimitBytes = 1024;
    const protocol::RepeatResult result = measured(trial);
    ASSERT_EQ(result.outcome, Outcome::OutOfMemory);
    EXPECT_EQ(result.memory.restingCleared, protocol::MemoryFigures{});
}

// The live answer and the search for what fits look at peaks alone.
TEST(RestingClearedTest, isThereWithoutDiagnostics)
{
    const config::Trial trial =
        Case{"ffn-stack-tiny", {{"step", "train"}, {"loss", "mean"}}}.trial("sim:a100-80gb", "released");
    SilentListener listener;
    const auto instruments = instrumentsOf(trial);
    TrialMeasurement measurement(trial, *instruments, listener);
    measurement.setDiagnostics(Diagnostics::Off);
    const protocol::MemoryFigures cleared = measurement.run().memory.restingCleared;
    ASSERT_TRUE(cleared.allocated);
    EXPECT_EQ(cleared.allocated, measured(trial).memory.restingCleared.allocated);
    EXPECT_EQ(cleared.reserved, measured(trial).memory.restingCleared.reserved);
}

} // namespace
} // namespace headroom::collectors::output_release_test
