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
    config::Value::List adapters; ///< on the same Linears of both
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
        {{"batch", 8}, {"frames", 17}, {"height", 16 * 32}, {"width", 24 * 32}, {"text_tokens", 5}},
        {"to_q", "to_k", "to_v", "to_out.0"}};
}

// On the processor, where it was captured, transformers repeats keys and values.
Pair llama()
{
    const config::ValueMap sizes{{"batch", 8}, {"sequence_length", 256}};
    return {importedModel("llama"), sizes, "llama-tiny",
        {{"hidden_size", 16}, {"intermediate_size", 24}, {"num_hidden_layers", 2}, {"num_attention_heads", 4},
            {"num_key_value_heads", 2}, {"vocab_size", 48}, {"rms_norm_eps", 1e-5}, {"repeat_kv", true}},
        sizes, {"q_proj", "v_proj"}};
}

protocol::RepeatResult simulated(const std::string& model, const config::ValueMap& fields, config::ValueMap workload,
    const Notations& techniques, const config::ValueMap& step, const config::Value::List& adapters)
{
    for (const auto& [name, value] : step)
        workload[name] = value;
    config::Trial trial = trialOfModel(model, "sim:cpu", fields, workload);
    for (const auto& [technique, notation] : techniques)
        choose(trial.configuration, technique, notation,
            technique == "trainable" ? config::ValueMap{{"target_modules", adapters}} : config::ValueMap{});
    return measured(trial);
}

void expectNear(const Pair& pair, const Notations& techniques, const config::ValueMap& step, double share)
{
    std::string what = pair.handWritten + ", " + config::toLabel(step.at("step"));
    for (const auto& [technique, notation] : techniques)
        what += ", " + technique + " " + notation;
    const auto imported = simulated(pair.imported, {}, pair.importedSizes, techniques, step, pair.adapters);
    const auto own = simulated(pair.handWritten, pair.fields, pair.sizes, techniques, step, pair.adapters);
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
    for (const Pair& pair : {ltx(), llama()})
        for (const Notations& techniques : trainingTechniques())
            expectNear(pair, techniques, {{"step", "train"}, {"dtype", "float32"}, {"loss", "mean"}}, 0.005);
}

TEST(ImportedComparisonTest, inferencePeaksAreThoseOfTheHandWrittenModel)
{
    for (const Pair& pair : {ltx(), llama()})
        for (const Notations& techniques : {Notations{}, Notations{{"casting", "e4m3"}},
                 Notations{{"offload", "block:1"}}, Notations{{"offload", "leaf"}}})
            expectNear(pair, techniques, {{"step", "inference"}, {"dtype", "float32"}}, 0.01);
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
