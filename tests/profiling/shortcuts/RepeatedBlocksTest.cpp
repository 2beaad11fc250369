// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/simulated/RepeatedBlocks.h"

#include "core/config/catalogue/CombinationDraw.h"
#include "core/config/catalogue/ImportedModels.h"
#include "core/protocol/RepeatResult.h"
#include "tests/profiling/comparisons/TrialRun.h"

#include <gmock/gmock.h>

#include <set>

namespace headroom::collectors::repeated_blocks_test {
namespace {

using protocol::RepeatResult;

struct Simulated {
    RepeatResult result;
    std::int64_t repeats = 0;
    std::int64_t steps = 0; ///< that repeated the one before
    bool hasShortcut = true; ///< false: UnlikeBlocks was thrown
};

Simulated simulated(const config::Trial& trial, Shortcuts shortcuts, Diagnostics diagnostics = Diagnostics::Off)
{
    SilentListener listener;
    SimulatedInstruments instruments(profiles().simulatedDevice(trial), trial.memoryLimitBytes);
    Simulated simulated;
    try {
        TrialMeasurement measurement(trial, instruments, listener);
        measurement.setDiagnostics(diagnostics);
        measurement.setShortcuts(shortcuts);
        simulated.result = measurement.run();
    } catch (const UnlikeBlocks& error) {
        simulated.result.reason = error.what();
        simulated.hasShortcut = false;
    }
    simulated.repeats = instruments.repeatedRuns();
    simulated.steps = instruments.repeatedSteps();
    if (diagnostics == Diagnostics::Off) {
        simulated.result.engagement.clear();
        simulated.result.effective.clear();
    }
    return simulated;
}

std::string nameOf(const config::Trial& trial)
{
    return trial.configuration.model + " on " + trial.device.notation() + ", "
        + config::toText(trial.configuration.workload.step) + ": " + config::techniqueLabel(trial.configuration);
}

// Nothing in the answer differs.
Simulated expectTheSameAnswer(const config::Trial& trial)
{
    const Simulated shorter = simulated(trial, Shortcuts::On);
    const Simulated full = simulated(trial, Shortcuts::Off);
    EXPECT_EQ(full.repeats, 0) << nameOf(trial);
    if (shorter.hasShortcut) {
        EXPECT_EQ(toJson(shorter.result).dump(1), toJson(full.result).dump(1)) << nameOf(trial);
    }
    return shorter;
}

// Nor does anything in the record: whose the memory is, what techniques count and say, what is saved, remarks. Where
// blocks turn out to differ, repeated steps are left.
Simulated expectTheSameRecord(const config::Trial& trial)
{
    const std::string full = toJson(simulated(trial, Shortcuts::Off, Diagnostics::On).result).dump(1);
    const Simulated shorter = simulated(trial, Shortcuts::On, Diagnostics::On);
    if (shorter.hasShortcut) {
        EXPECT_EQ(toJson(shorter.result).dump(1), full) << nameOf(trial);
    } else {
        EXPECT_EQ(toJson(simulated(trial, Shortcuts::Steps, Diagnostics::On).result).dump(1), full) << nameOf(trial);
    }
    return shorter;
}

config::Trial ltxTrial(
    const std::map<std::string, std::string>& techniques, const config::ValueMap& workload, std::int64_t layers = 12)
{
    config::Trial trial =
        trialOfModel("ltx-video-tiny", "sim:a100-80gb@torch-2.11", {{"num_layers", layers}}, workload);
    for (const auto& [technique, notation] : techniques)
        choose(trial.configuration, technique, notation);
    trial.protocol.warmupSteps = 2;
    return trial;
}

// Of twelve blocks the first and the last have only one neighbour, the last but one begins sums, and of the others two
// run. Two steps run; the third repeats the second as a whole.
TEST(RepeatedBlocksTest, mostBlocksOfAnLtxStepAreRepeatedAndNothingElseChanges)
{
    for (const char* step : {"inference", "forward_backward", "train"})
        for (const char* gradients : {"set_to_none", "zero", "keep"}) {
            const auto answer = expectTheSameAnswer(ltxTrial({}, {{"step", step}, {"gradients", gradients}}));
            EXPECT_TRUE(answer.hasShortcut) << step << answer.result.reason;
            EXPECT_EQ(answer.repeats, 2 * 7) << step;
            EXPECT_EQ(answer.steps, 1) << step;
        }
}

TEST(RepeatedBlocksTest, blocksAreRepeatedAmongThoseThatAreCheckpointedAlike)
{
    const std::map<std::string, std::int64_t> repeatsInAStep{
        {"all", 7}, {"every:2", 4}, {"ops", 7}, {"ops:mm/2", 7}, {"blocks:0", 5}};
    for (const auto& [policy, repeats] : repeatsInAStep) {
        const auto answer = expectTheSameAnswer(ltxTrial({{"checkpointing", policy}}, {{"step", "train"}}));
        EXPECT_TRUE(answer.hasShortcut) << policy << answer.result.reason;
        EXPECT_EQ(answer.repeats, 2 * repeats) << policy;
        EXPECT_EQ(answer.steps, 1) << policy;
    }
}

TEST(RepeatedBlocksTest, otherTechniquesAreRepeatedWithTheirBlocks)
{
    const std::map<std::string, std::string> all[]{{{"split_ffn", "4"}}, {{"split_ffn", "2:recompute"}},
        {{"trainable", "lora:4"}, {"optimizer", "adamw"}}, {{"trainable", "lora:4"}, {"checkpointing", "all"}},
        {{"optimizer", "adamw:foreach"}, {"ema", "device"}}, {{"attention", "math"}}};
    for (const auto& techniques : all) {
        const auto answer = expectTheSameAnswer(ltxTrial(techniques, {{"step", "train"}}));
        EXPECT_TRUE(answer.hasShortcut && answer.repeats > 0) << techniques.begin()->first;
    }
}

// A transfer takes time that no program has.
TEST(RepeatedBlocksTest, blocksThatMoveDataAreRun)
{
    for (const char* offload : {"block:1", "block:1+stream"}) {
        const auto answer = expectTheSameAnswer(ltxTrial({{"offload", offload}}, {{"step", "inference"}}));
        EXPECT_TRUE(answer.hasShortcut);
        EXPECT_EQ(answer.repeats, 0);
        EXPECT_EQ(answer.steps, 1);
    }
}

// The first step makes the optimizer's state, so the second is the first that others can repeat.
TEST(RepeatedBlocksTest, everyStepAfterTheSecondIsRepeated)
{
    config::Trial trial = ltxTrial({{"optimizer", "adamw"}, {"checkpointing", "every:2"}}, {{"step", "train"}});
    for (int warmupSteps = 0; warmupSteps < 6; ++warmupSteps) {
        trial.protocol.warmupSteps = warmupSteps;
        EXPECT_EQ(expectTheSameAnswer(trial).steps, std::max(warmupSteps - 1, 0)) << warmupSteps;
    }
}

// The step in which saved bytes are counted is repeated, too.
TEST(RepeatedBlocksTest, recordsAreTheSameWithRepeatedBlocks)
{
    const std::map<std::string, std::string> all[]{{}, {{"checkpointing", "all"}}, {{"checkpointing", "every:2"}},
        {{"checkpointing", "ops"}}, {{"checkpointing", "ops:mm/2"}}, {{"split_ffn", "4"}},
        {{"split_ffn", "2:recompute"}, {"checkpointing", "all"}}, {{"casting", "e4m3"}, {"trainable", "lora:4"}},
        {{"trainable", "lora:4"}, {"optimizer", "adamw"}, {"checkpointing", "all"}},
        {{"optimizer", "adamw:foreach"}, {"ema", "device"}}, {{"attention", "math"}}};
    for (const auto& techniques : all) {
        const config::Trial trial = ltxTrial(techniques, {{"step", "train"}});
        const auto record = expectTheSameRecord(trial);
        EXPECT_TRUE(record.hasShortcut) << nameOf(trial) << ": " << record.result.reason;
        EXPECT_GT(record.repeats, 0) << nameOf(trial);
        EXPECT_EQ(record.steps, 2) << nameOf(trial);
    }
}

TEST(RepeatedBlocksTest, whatABlockIsCountedForIsCountedForThoseThatRepeatIt)
{
    const config::Trial trial = ltxTrial({{"checkpointing", "all"}, {"split_ffn", "4"}}, {{"step", "train"}});
    const auto record = simulated(trial, Shortcuts::On, Diagnostics::On);
    EXPECT_EQ(record.repeats, 2 * 7);
    EXPECT_EQ(record.result.engagement.at("checkpointing").at("blocks_recomputed"), 12);
    EXPECT_EQ(record.result.engagement.at("split_ffn").at("slices_run"), 4 * 12);
    EXPECT_GT(record.result.memory.savedForBackward.value_or(0), 0);
    std::set<std::string> blocks;
    for (const auto& module : record.result.breakdown.value().modules)
        if (module.path.starts_with("transformer_blocks."))
            blocks.insert(module.path.substr(0, module.path.find('.', std::string("transformer_blocks.").size())));
    EXPECT_EQ(blocks.size(), 12U);
}

TEST(RepeatedBlocksTest, recordsAreTheSameInEveryKindOfStep)
{
    for (const char* step : {"inference", "forward_backward", "train"})
        for (const char* gradients : {"set_to_none", "zero", "keep"})
            for (const std::int64_t accumulate : {1, 3}) {
                if (std::string(step) == "inference" && accumulate > 1)
                    continue;
                const auto trial = ltxTrial({}, {{"step", step}, {"gradients", gradients}, {"accumulate", accumulate}});
                EXPECT_TRUE(expectTheSameRecord(trial).hasShortcut);
            }
}

TEST(RepeatedBlocksTest, recordsOfTrialsThatRunOutOfMemoryAreTheSame)
{
    config::Trial trial = ltxTrial({{"checkpointing", "every:2"}}, {{"step", "train"}});
    const Bytes peak = simulated(trial, Shortcuts::Off).result.memory.wholeRunPeak.reserved.value();
    for (int part = 1; part <= 12; ++part) {
        trial.memoryLimitBytes = peak * part / 12;
        EXPECT_TRUE(expectTheSameRecord(trial).hasShortcut);
    }
}

// As searches ask for it.
TEST(RepeatedBlocksTest, theThirdStepOfAFullSizeTrialIsRepeated)
{
    for (const char* trainable : {"all", "lora:16"}) {
        config::Trial trial =
            trialOfModel("ltx-video-2b", "sim:a100-80gb@torch-2.11", {{"num_layers", std::int64_t{5}}},
                {{"step", "forward_backward"}, {"dtype", "bfloat16"}, {"frames", std::int64_t{9}}});
        choose(trial.configuration, "trainable", trainable);
        trial.protocol.warmupSteps = 2;
        EXPECT_EQ(expectTheSameAnswer(trial).steps, 1) << trainable << trial.protocol.warmupSteps;
    }
}

TEST(RepeatedBlocksTest, stepsThatDifferAreRun)
{
    config::Trial trial = ltxTrial({{"ema", "device"}}, {{"step", "train"}});
    for (const std::int64_t interval : {1, 2, 3}) {
        trial.configuration.techniques.at("ema").options["interval"] = interval;
        EXPECT_EQ(expectTheSameAnswer(trial).steps, interval == 1 ? 1 : 0) << interval;
    }
}

TEST(RepeatedBlocksTest, runningOutOfMemoryHappensAtTheSameRequest)
{
    config::Trial trial = ltxTrial({}, {{"step", "train"}});
    const Bytes peak = simulated(trial, Shortcuts::Off).result.memory.wholeRunPeak.reserved.value();
    int ended = 0;
    for (int part = 1; part <= 12; ++part) {
        trial.memoryLimitBytes = peak * part / 12;
        const auto answer = expectTheSameAnswer(trial);
        EXPECT_TRUE(answer.hasShortcut);
        ended += answer.result.outcome == Outcome::OutOfMemory ? 1 : 0;
    }
    EXPECT_GT(ended, 3);
}

// Blocks of an exported model are stretches of its graph. The eleventh of these twenty has the modules of the others
// and another operator: twelve have two blocks before and one behind them that are alike, and two of these run.
config::Trial deepTrial(const std::map<std::string, std::string>& techniques, const config::ValueMap& workload)
{
    const std::string model = config::importModel(checkout("tests/reference/imported/deep.pt2"));
    config::ValueMap sizes{{"batch", 64}, {"sequence_length", 48}};
    sizes.insert(workload.begin(), workload.end());
    config::Trial trial = trialOfModel(model, "sim:a100-80gb@torch-2.11", {}, sizes);
    for (const auto& [technique, notation] : techniques)
        choose(trial.configuration, technique, notation);
    trial.protocol.warmupSteps = 2;
    return trial;
}

TEST(RepeatedBlocksTest, alikeBlocksOfAnExportedModelAreRepeated)
{
    const std::map<std::string, std::string> all[]{{}, {{"checkpointing", "all"}}, {{"checkpointing", "ops"}},
        {{"trainable", "lora:4"}, {"optimizer", "adamw"}}, {{"casting", "e4m3"}, {"trainable", "lora:4"}}};
    for (const auto& techniques : all)
        for (const char* step : {"inference", "train"}) {
            const std::string name = std::string(step) + (techniques.empty() ? "" : techniques.begin()->first);
            const bool isOfTraining = techniques.contains("checkpointing") || techniques.contains("trainable");
            if (isOfTraining && std::string(step) == "inference")
                continue;
            expectTheSameRecord(deepTrial(techniques, {{"step", step}}));
            const auto answer = expectTheSameAnswer(deepTrial(techniques, {{"step", step}}));
            EXPECT_TRUE(answer.hasShortcut) << name << answer.result.reason;
            EXPECT_EQ(answer.repeats, 2 * 10) << name;
        }
}

/// Draws trials of every family, with enough blocks for some to be repeated.
class TrialDraw {
public:
    explicit TrialDraw(unsigned seed)
        : m_draw(seed)
        , m_random(seed)
    {
    }

    config::Trial next()
    {
        static const std::array<const char*, 4> kDevices{
            "sim:a100-80gb@torch-2.11", "sim:rtx4090@torch-2.5", "sim:t4", "sim:cpu"};
        config::Trial trial = trialOfModel("ffn-stack", kDevices.at(below(kDevices.size())), {}, {});
        do {
            trial.configuration = m_draw.next();
            for (const char* count : {"num_layers", "num_single_layers", "num_hidden_layers"})
                if (trial.configuration.modelFields.contains(count))
                    trial.configuration.modelFields[count] = static_cast<std::int64_t>(3 + below(9));
        } while (!config::conflicts(trial.configuration).empty());
        trial.protocol.warmupSteps = static_cast<int>(below(4));
        trial.protocol.steps = 2;
        return trial;
    }

private:
    std::size_t below(std::size_t count) { return m_random() % count; }

    config::CombinationDraw m_draw;
    std::mt19937 m_random;
};

TEST(RepeatedBlocksTest, randomTrialsOfEveryFamilyHaveTheSameRecord)
{
    TrialDraw draw(23);
    int withRepeats = 0;
    int withRepeatedSteps = 0;
    int withoutShortcut = 0;
    constexpr int kTrials = 300;
    for (int i = 0; i < kTrials; ++i) {
        const config::Trial trial = draw.next();
        const auto record = expectTheSameRecord(trial);
        withRepeats += record.hasShortcut && record.repeats > 0 ? 1 : 0;
        withRepeatedSteps += record.steps > 0 ? 1 : 0;
        withoutShortcut += record.hasShortcut ? 0 : 1;
        if (!record.hasShortcut)
            std::cout << nameOf(trial) << ": " << record.result.reason << "\n";
    }
    std::cout << withRepeats << " of " << kTrials << " repeated blocks, " << withRepeatedSteps << " steps, "
              << withoutShortcut << " had no shortcut\n";
    EXPECT_GT(withRepeats, kTrials / 4);
    EXPECT_GT(withRepeatedSteps, kTrials / 8);
}

TEST(RepeatedBlocksTest, randomTrialsOfEveryFamilyHaveTheSameAnswer)
{
    TrialDraw draw(17);
    int withRepeats = 0;
    int withRepeatedSteps = 0;
    int withoutShortcut = 0;
    constexpr int kTrials = 300;
    for (int i = 0; i < kTrials; ++i) {
        const config::Trial trial = draw.next();
        const auto answer = expectTheSameAnswer(trial);
        withRepeats += answer.hasShortcut && answer.repeats > 0 ? 1 : 0;
        withRepeatedSteps += answer.steps > 0 ? 1 : 0;
        withoutShortcut += answer.hasShortcut ? 0 : 1;
        if (!answer.hasShortcut)
            std::cout << trial.configuration.model << ", " << config::techniqueLabel(trial.configuration) << ": "
                      << answer.result.reason << "\n";
    }
    RecordProperty("repeated", withRepeats);
    RecordProperty("without", withoutShortcut);
    std::cout << withRepeats << " of " << kTrials << " repeated blocks, " << withRepeatedSteps << " steps, "
              << withoutShortcut << " had no shortcut\n";
    EXPECT_GT(withRepeats, kTrials / 4);
    EXPECT_GT(withRepeatedSteps, kTrials / 8);
}

} // namespace
} // namespace headroom::collectors::repeated_blocks_test
