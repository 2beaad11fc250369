// SPDX-License-Identifier: Apache-2.0
//
// The events of a trace against what they have to add up to.
#include "tests/profiling/comparisons/TracedRun.h"

#include "profiling/trace/CategoryBytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace headroom::collectors::trace_owners_test {
namespace {

using config::MemoryCategory;
using trace::Action;

constexpr std::int64_t kLayers = 4;
constexpr std::int64_t kDim = 32;
constexpr std::int64_t kMult = 4;
constexpr std::int64_t kTokens = 2 * 24;
constexpr Bytes kFloat = 4;

config::Trial stack(const std::string& device, const std::string& activation = "gelu")
{
    return trialOf(device, {{"num_layers", kLayers}, {"dim", kDim}, {"mult", kMult}, {"activation_fn", activation}},
        {{"step", "forward_backward"}, {"batch", 2}, {"sequence_length", 24}});
}

config::Trial ltx(const std::string& device)
{
    return trialOfModel("ltx-video-tiny", device, {}, {{"step", "train"}});
}

// Adds up a trace event by event.
class Replay {
public:
    explicit Replay(const KeptTrace& trace)
        : m_trace(trace)
    {
    }

    /// The first events.
    void first(std::size_t count)
    {
        for (; m_next < count; ++m_next)
            apply(m_trace.events[m_next]);
    }

    /// Every event, with a look after each.
    template <typename Look> void each(Look look)
    {
        for (; m_next < m_trace.events.size(); ++m_next) {
            apply(m_trace.events[m_next]);
            look();
        }
    }

    Bytes of(MemoryCategory category) const { return m_categories.of(category); }
    const trace::CategoryBytes& categories() const { return m_categories; }
    Bytes allocated() const { return m_allocated; }

private:
    void apply(const trace::AllocatorEvent& event)
    {
        ASSERT_TRUE(m_trace.owners.contains(event.owner)) << "an event before its owner";
        Bytes& ofOwner = m_categories.of(m_trace.owners.at(event.owner).category);
        if (event.action == Action::Alloc) {
            ofOwner += event.bytes;
            m_allocated += event.bytes;
            m_live[event.address] = event.owner;
        } else if (event.action == Action::FreeRequested) {
            ofOwner -= event.bytes;
            m_allocated -= event.bytes;
            EXPECT_EQ(m_live[event.address], event.owner) << "freed by another owner than the last";
        } else if (event.action == Action::Relabelled) {
            ofOwner += event.bytes;
            m_categories.of(m_trace.owners.at(event.previousOwner).category) -= event.bytes;
            EXPECT_EQ(m_live[event.address], event.previousOwner);
            m_live[event.address] = event.owner;
        }
    }

    const KeptTrace& m_trace;
    std::size_t m_next = 0;
    trace::CategoryBytes m_categories;
    Bytes m_allocated = 0;
    std::map<std::uint64_t, trace::OwnerId> m_live;
};

/// How many events there were when the last phase of this name ended.
std::size_t endOfLast(const KeptTrace& trace, const std::string& name)
{
    for (std::size_t index = trace.phases.size(); index-- > 0;)
        if (trace.phases[index].name == name)
            return trace.phaseEnds[index];
    ADD_FAILURE() << "no phase " << name;
    return 0;
}

const protocol::ModuleBytes& moduleOf(const protocol::MemoryBreakdown& breakdown, const std::string& path)
{
    static const protocol::ModuleBytes kNone;
    const auto found = std::ranges::find(breakdown.modules, path, &protocol::ModuleBytes::path);
    return found == breakdown.modules.end() ? kNone : *found;
}

class TraceOwnersTest : public testing::TestWithParam<const char*> {
protected:
    protocol::RepeatResult run(const config::Trial& trial) { return traced(trial, m_trace); }

    KeptTrace m_trace;
};

TEST_P(TraceOwnersTest, sumToWhatIsAllocatedAtEveryInstant)
{
    config::Trial trial = ltx(GetParam());
    checkpoint(trial, "all");
    run(trial);
    Replay replay(m_trace);
    replay.each([&] {
        ASSERT_EQ(replay.categories().total(), replay.allocated());
        ASSERT_THAT(replay.categories().bytes, testing::Each(testing::Ge(0)));
    });
}

// gelu: each layer saves its input, the projection and the activation; the first one's input is the batch.
TEST_P(TraceOwnersTest, sayWhatAFeedForwardSaves)
{
    const auto result = run(stack(GetParam()));
    Replay replay(m_trace);
    replay.first(endOfLast(m_trace, "forward"));
    const Bytes expected = (kLayers - 1 + kLayers * kMult * 2) * kTokens * kDim * kFloat;
    EXPECT_EQ(replay.of(MemoryCategory::SavedActivations), expected);
    EXPECT_EQ(result.memory.savedForBackward, expected);
}

TEST_P(TraceOwnersTest, sayWhatIsSavedOfEveryModelAndTechnique)
{
    for (const char* checkpointing : {"none", "all", "every:2"})
        for (const char* splitFfn : {"off", "2", "2:recompute", "tokens:2"}) {
            config::Trial trial = ltx(GetParam());
            checkpoint(trial, checkpointing);
            split(trial, splitFfn);
            m_trace = {};
            const auto result = run(trial);
            Replay replay(m_trace);
            replay.first(endOfLast(m_trace, "forward"));
            EXPECT_EQ(replay.of(MemoryCategory::SavedActivations), result.memory.savedForBackward)
                << checkpointing << " " << splitFfn;
        }
}

TEST_P(TraceOwnersTest, areWeightsInputsAndGradientsAtRest)
{
    const auto result = run(stack(GetParam()));
    Replay replay(m_trace);
    replay.first(m_trace.events.size());
    trace::CategoryBytes expected;
    expected.of(MemoryCategory::Weights) = *result.weightBytes;
    expected.of(MemoryCategory::Gradients) = *result.weightBytes;
    expected.of(MemoryCategory::Inputs) = kTokens * kDim * kFloat;
    EXPECT_EQ(replay.categories(), expected);
}

TEST_P(TraceOwnersTest, areGradientsOfEveryWeightAfterTheBackwardPass)
{
    for (const char* gradients : {"set_to_none", "zero", "keep"}) {
        config::Trial trial = stack(GetParam());
        trial.configuration.workload.gradients = gradients == std::string("keep") ? config::GradientClearing::Keep
            : gradients == std::string("zero")                                    ? config::GradientClearing::Zero
                                                                                  : config::GradientClearing::SetToNone;
        m_trace = {};
        const auto result = run(trial);
        Replay replay(m_trace);
        replay.first(endOfLast(m_trace, "backward"));
        EXPECT_EQ(replay.of(MemoryCategory::Gradients), result.weightBytes) << gradients;
        EXPECT_EQ(replay.of(MemoryCategory::SavedActivations), 0) << gradients;
    }
}

TEST_P(TraceOwnersTest, haveTheModulesOfTheirWeights)
{
    const auto result = run(stack(GetParam()));
    EXPECT_EQ(
        moduleOf(*result.breakdown, "layers.2.net.2").categories.at("weights"), (kDim * kDim * kMult + kDim) * kFloat);
    EXPECT_EQ(moduleOf(*result.breakdown, "layers.2").categories.count("weights"), 0U);
}

TEST_P(TraceOwnersTest, haveUpstreamsPathsInABackwardPassToo)
{
    run(ltx(GetParam()));
    std::set<std::string> modules;
    for (std::size_t index = endOfLast(m_trace, "forward"); index < endOfLast(m_trace, "backward"); ++index)
        if (m_trace.events[index].action == Action::Alloc)
            modules.insert(m_trace.owners.at(m_trace.events[index].owner).module);
    for (const char* path : {"transformer_blocks.0.attn1.to_q", "transformer_blocks.1.ff.net.0.proj",
             "transformer_blocks.1.ff", "transformer_blocks.0.attn2.norm_k", "transformer_blocks.0", "proj_in",
             "time_embed.emb.timestep_embedder.linear_1", "caption_projection.linear_2"})
        EXPECT_TRUE(modules.contains(path)) << path;
}

TEST_P(TraceOwnersTest, tellWhatATechniqueCauses)
{
    config::Trial trial = ltx(GetParam());
    EXPECT_EQ(run(trial).breakdown->techniques.size(), 1U); // nobody
    checkpoint(trial, "all");
    m_trace = {};
    auto result = run(trial);
    EXPECT_GT(bytesOf(result.breakdown->techniques, "checkpointing"), 0);
    EXPECT_GT(bytesOf(result.breakdown->categories, "recomputed_activations"), 0);
    EXPECT_EQ(bytesOf(result.breakdown->techniques, "split_ffn"), 0);
    split(trial, "2:recompute");
    m_trace = {};
    result = run(trial);
    EXPECT_GT(bytesOf(result.breakdown->techniques, "split_ffn"), 0);
    checkpoint(trial, "none");
    m_trace = {};
    result = run(trial);
    EXPECT_EQ(bytesOf(result.breakdown->techniques, "checkpointing"), 0);
    EXPECT_GT(bytesOf(result.breakdown->techniques, "split_ffn"), 0);
}

TEST_P(TraceOwnersTest, nameWhatTheMeasuringKeeps)
{
    config::Trial trial = stack(GetParam());
    split(trial, "2");
    trial.protocol.keepBaselineOutput = true;
    trial.protocol.keepBaselineModel = true;
    const auto result = run(trial);
    Bytes harness = 0;
    for (const auto& item : result.memory.harness)
        harness += item.bytes;
    EXPECT_EQ(result.memory.harness.size(), 2U);
    EXPECT_EQ(result.breakdown->categories.at("harness"), harness);
    EXPECT_EQ(result.breakdown->categories.at("weights"), result.weightBytes);
}

TEST_P(TraceOwnersTest, countTheLossTargetAsAnInput)
{
    config::Trial trial = stack(GetParam());
    trial.configuration.workload.loss = config::Loss::Mse;
    const auto result = run(trial);
    EXPECT_EQ(result.breakdown->categories.at("inputs"), 2 * kTokens * kDim * kFloat);
}

TEST_P(TraceOwnersTest, doNotChangeThePeak)
{
    for (const char* checkpointing : {"none", "all"}) {
        config::Trial trial = ltx(GetParam());
        checkpoint(trial, checkpointing);
        SilentListener listener;
        const auto instruments = instrumentsOf(trial);
        TrialMeasurement plain(trial, *instruments, listener);
        plain.setDiagnostics(Diagnostics::Off);
        const auto without = plain.run();
        EXPECT_FALSE(without.breakdown);
        m_trace = {};
        const auto with = run(trial);
        EXPECT_EQ(with.breakdown->totalBytes, without.memory.peak.allocated) << checkpointing;
        EXPECT_EQ(with.memory.peak.requested, without.memory.peak.requested) << checkpointing;
        EXPECT_EQ(with.memory.peak.reserved, without.memory.peak.reserved) << checkpointing;
        EXPECT_EQ(with.memory.firstStepPeak.allocated, without.memory.firstStepPeak.allocated) << checkpointing;
    }
}

INSTANTIATE_TEST_SUITE_P(Devices, TraceOwnersTest, testing::Values("cpu", "sim:cpu"),
    [](const auto& device) { return device.param == std::string("cpu") ? "cpu" : "simulated"; });

// The record's peak is of the measured steps, the trace is of the whole run.
TEST(SimulatedTraceTest, reachesTheWholeRunsPeak)
{
    config::Trial trial =
        trialOfModel("ltx-video-tiny", "sim:a100-80gb", {{"num_layers", 8}}, {{"step", "train"}, {"batch", 8}});
    checkpoint(trial, "all");
    trial.protocol.keepBaselineOutput = true; // runs without checkpoints first
    KeptTrace trace;
    const auto result = traced(trial, trace);
    Bytes peak = 0;
    Replay replay(trace);
    replay.each([&] { peak = std::max(peak, replay.allocated()); });
    EXPECT_EQ(peak, result.memory.wholeRunPeak.allocated);
    EXPECT_GT(peak, result.breakdown->totalBytes);
    EXPECT_EQ(result.breakdown->totalBytes, result.memory.peak.allocated);
}

// The gradients of this step lie in other blocks than those of the step before, some of them larger than asked for.
TEST(SimulatedTraceTest, takesLargerBlocksForNoLeak)
{
    config::Trial trial = trialOfModel("ltx-video-2b", "sim:a100-80gb", {}, {{"step", "train"}, {"dtype", "bfloat16"}});
    checkpoint(trial, "all");
    const auto result = measured(trial);
    ASSERT_TRUE(result.breakdown);
    EXPECT_TRUE(result.breakdown->leaks.empty());
    EXPECT_TRUE(result.diagnostics.empty());
}

TEST(SimulatedTraceTest, knowsTheWorkspacesOfCublas)
{
    KeptTrace trace;
    const auto result = traced(ltx("sim:a100-80gb"), trace);
    // One of each thread that multiplies, and what cublasLt keeps for products with a bias.
    constexpr Bytes kWorkspaces = 2 * 8320 * kKiB + kMiB;
    EXPECT_EQ(result.breakdown->categories.at("workspaces"), kWorkspaces);
    EXPECT_EQ(moduleOf(*result.breakdown, "").categories.at("workspaces"), kWorkspaces);
}

TEST(SimulatedTraceTest, isNotNeededForABreakdown)
{
    EXPECT_TRUE(measured(ltx("sim:cpu")).breakdown);
    EXPECT_FALSE(measured(ltx("cpu")).breakdown);
}

TEST(SimulatedTraceTest, endsWhereMemoryRunsOut)
{
    config::Trial trial = ltx("sim:a100-80gb");
    trial.memoryLimitBytes = 8 * 1024 * 1024;
    KeptTrace trace;
    const auto result = traced(trial, trace);
    ASSERT_EQ(result.outcome, Outcome::OutOfMemory);
    EXPECT_FALSE(result.breakdown);
    ASSERT_FALSE(trace.events.empty());
    EXPECT_EQ(tensor::MemoryAttribution::active(), nullptr);
}

} // namespace
} // namespace headroom::collectors::trace_owners_test
