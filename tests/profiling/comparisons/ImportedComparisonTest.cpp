// SPDX-License-Identifier: Apache-2.0
//
// Models that were exported from Python: peaks against those of the hand-written ones of the same family, and measured
// against simulated.
#include "core/config/catalogue/ImportedModels.h"
#include "tests/profiling/comparisons/TechniqueComparison.h"
#include "tests/profiling/comparisons/TrialRun.h"

#include <gmock/gmock.h>

namespace headroom::collectors::imported_comparison_test {
namespace {

std::string importedModel(const std::string& name)
{
    return config::importModel(checkout("tests/reference/imported/" + name + ".pt2"));
}

/// The same model twice, with workloads of the same sizes.
struct Pair {
    std::string imported;
    config::ValueMap importedSizes;
    std::string handWritten;
    config::ValueMap fields;
    config::ValueMap sizes;
};

// Large enough that tensors are far above the 512 bytes to which blocks are rounded.
Pair ltx()
{
    return {importedModel("ltx-video"),
        {{"batch", 8}, {"encoder_attention_mask.0", 8}, {"sequence_length", 5}, {"num_frames", 3}, {"height", 16},
            {"width", 24}},
        "ltx-video-tiny",
        {{"in_channels", 4}, {"out_channels", 4}, {"num_attention_heads", 2}, {"attention_head_dim", 8},
            {"num_layers", 2}, {"caption_channels", 12}, {"cross_attention_dim", 16}},
        {{"batch", 8}, {"frames", 17}, {"height", 16 * 32}, {"width", 24 * 32}, {"text_tokens", 5}}};
}

// An imported model has adapters on its own choice of Linears: not on those out of attention.
config::ValueMap sameAdapters()
{
    return {{"target_modules", config::Value::List{"to_q", "to_k", "to_v", "to_out.0"}}};
}

protocol::RepeatResult simulated(const std::string& model, const config::ValueMap& fields, config::ValueMap workload,
    const Notations& techniques, const config::ValueMap& step)
{
    for (const auto& [name, value] : step)
        workload[name] = value;
    config::Trial trial = trialOfModel(model, "sim:cpu", fields, workload);
    for (const auto& [technique, notation] : techniques)
        choose(
            trial.configuration, technique, notation, technique == "trainable" ? sameAdapters() : config::ValueMap{});
    return measured(trial);
}

void expectNear(const Pair& pair, const Notations& techniques, const config::ValueMap& step, double share)
{
    std::string what = pair.handWritten + ", " + config::toLabel(step.at("step"));
    for (const auto& [technique, notation] : techniques)
        what += ", " + technique + " " + notation;
    const auto imported = simulated(pair.imported, {}, pair.importedSizes, techniques, step);
    const auto own = simulated(pair.handWritten, pair.fields, pair.sizes, techniques, step);
    ASSERT_TRUE(imported.memory.peak.allocated && own.memory.peak.allocated)
        << what << ": " << imported.reason << own.reason;
    const auto expected = static_cast<double>(*own.memory.peak.allocated);
    EXPECT_NEAR(static_cast<double>(*imported.memory.peak.allocated), expected, share * expected) << what;
}

const std::vector<Notations>& trainingTechniques()
{
    static const std::vector<Notations> combinations{{}, {{"checkpointing", "all"}}, {{"checkpointing", "every:2"}},
        {{"checkpointing", "ops"}}, {{"optimizer", "adamw"}},
        {{"checkpointing", "all"}, {"optimizer", "adamw"}, {"ema", "host"}},
        {{"trainable", "lora:4"}, {"optimizer", "adamw"}, {"casting", "e4m3"}, {"checkpointing", "all"}},
        {{"trainable", "lora:4"}, {"optimizer", "adamw"}, {"offload", "block:1"}}, {{"split_ffn", "4:recompute"}},
        {{"attention", "math"}}};
    return combinations;
}

TEST(ImportedComparisonTest, trainingPeaksAreThoseOfTheHandWrittenModel)
{
    for (const Notations& techniques : trainingTechniques())
        expectNear(ltx(), techniques, {{"step", "train"}, {"dtype", "float32"}}, 0.005);
}

TEST(ImportedComparisonTest, inferencePeaksAreThoseOfTheHandWrittenModel)
{
    for (const Notations& techniques : {Notations{}, Notations{{"casting", "e4m3"}}, Notations{{"offload", "block:1"}},
             Notations{{"offload", "leaf"}}})
        expectNear(ltx(), techniques, {{"step", "inference"}, {"dtype", "float32"}}, 0.01);
}

TEST(ImportedComparisonTest, simulatedPeaksAreTheMeasuredOnes)
{
    for (const char* name : {"llama", "ltx-video", "gpt2"})
        for (const Notations& techniques : {Notations{}, Notations{{"checkpointing", "all"}},
                 Notations{{"checkpointing", "ops"}}, Notations{{"optimizer", "adamw"}}}) {
            const config::Configuration configuration = configurationOf(
                importedModel(name), techniques, {}, {{"step", "forward_backward"}, {"dtype", "float32"}});
            const ComparedCombination compared = compareCombination(configuration);
            ASSERT_GT(compared.measuredBytes, 0) << name << ", " << compared.techniques << compared.reason;
            EXPECT_EQ(compared.simulatedBytes, compared.measuredBytes) << name << ", " << compared.techniques;
        }
}

} // namespace
} // namespace headroom::collectors::imported_comparison_test
