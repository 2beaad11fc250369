// SPDX-License-Identifier: Apache-2.0
//
// Models that were exported from Python: peaks against those of the hand-written ones of the same family, and measured
// against simulated.
#include "core/config/catalogue/ImportedModels.h"
#include "tests/profiling/comparisons/TechniqueComparison.h"
#include "tests/profiling/comparisons/TracedRun.h"

#include <gmock/gmock.h>

#include <algorithm>

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

Pair flux()
{
    return {importedModel("families/flux"), {{"batch", 512}}, "flux-tiny", {}, {{"batch", 512}},
        {"to_q", "to_k", "to_v", "to_out.0"}};
}

Pair fluxSchnell()
{
    return {importedModel("families/flux-schnell"), {{"batch", 512}}, "flux-tiny", {{"guidance_embeds", false}},
        {{"batch", 512}}, {"to_q", "to_k", "to_v", "to_out.0"}};
}

Pair wan()
{
    return {importedModel("families/wan"), {{"batch", 8}, {"frames", 5}, {"height", 32}, {"width", 48}}, "wan-tiny", {},
        {{"batch", 8}, {"frames", 17}, {"height", 32 * 8}, {"width", 48 * 8}, {"text_tokens", 5}},
        {"to_q", "to_k", "to_v", "to_out.0"}};
}

// Positions are added, as in the 2B.
Pair cogvideox()
{
    return {importedModel("families/cogvideox"), {{"batch", 64}}, "cogvideox-tiny",
        {{"use_rotary_positional_embeddings", false}}, {{"batch", 64}}, {"to_q", "to_k", "to_v", "to_out.0"}};
}

// Of the video they are rotary, as in the 5B.
Pair cogvideoxRotary()
{
    return {importedModel("families/cogvideox-rotary"), {{"batch", 64}}, "cogvideox-tiny", {}, {{"batch", 64}},
        {"to_q", "to_k", "to_v", "to_out.0"}};
}

Pair t5Encoder()
{
    const config::ValueMap sizes{{"batch", 8}, {"sequence_length", 256}};
    return {importedModel("families/t5-encoder"), sizes, "t5-v1.1-tiny", {}, sizes, {"q", "v"}};
}

std::vector<Pair> families()
{
    return {ltx(), flux(), fluxSchnell(), wan(), cogvideox(), cogvideoxRotary(), llama(), t5Encoder()};
}

config::Trial trialOfPair(const std::string& model, const config::ValueMap& fields, config::ValueMap workload,
    const Notations& techniques, const config::ValueMap& step, const config::Value::List& adapters)
{
    for (const auto& [name, value] : step)
        workload[name] = value;
    config::Trial trial = trialOfModel(model, "sim:cpu", fields, workload);
    for (const auto& [technique, notation] : techniques)
        choose(trial.configuration, technique, notation,
            technique == "trainable" ? config::ValueMap{{"target_modules", adapters}} : config::ValueMap{});
    return trial;
}

config::Trial importedTrial(const Pair& pair, const Notations& techniques, const config::ValueMap& step)
{
    return trialOfPair(pair.imported, {}, pair.importedSizes, techniques, step, pair.adapters);
}

config::Trial handWrittenTrial(const Pair& pair, const Notations& techniques, const config::ValueMap& step)
{
    return trialOfPair(pair.handWritten, pair.fields, pair.sizes, techniques, step, pair.adapters);
}

void expectNear(const Pair& pair, const Notations& techniques, const config::ValueMap& step, double share)
{
    std::string what = pair.handWritten + ", " + config::toLabel(step.at("step"));
    for (const auto& [technique, notation] : techniques)
        what += ", " + technique + " " + notation;
    const auto imported = measured(importedTrial(pair, techniques, step));
    const auto own = measured(handWrittenTrial(pair, techniques, step));
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
        {{"split_ffn", "tokens:64"}}, {{"attention", "math"}}, {{"attention", "flash"}}, {{"ema", "device"}},
        {{"loss_readback", "every_step"}, {"input_transfer", "pageable"}},
        {{"trainable", "lora:4"}, {"casting", "e5m2:block"}, {"checkpointing", "every:2"}}};
    return combinations;
}

TEST(ImportedComparisonTest, trainingPeaksAreThoseOfTheHandWrittenModel)
{
    for (const Pair& pair : families())
        for (const Notations& techniques : trainingTechniques())
            expectNear(pair, techniques, {{"step", "train"}, {"dtype", "float32"}, {"loss", "mean"}}, 0.005);
}

TEST(ImportedComparisonTest, inferencePeaksAreThoseOfTheHandWrittenModel)
{
    for (const Pair& pair : families())
        for (const Notations& techniques :
            {Notations{}, Notations{{"casting", "e4m3"}}, Notations{{"casting", "e4m3:block"}},
                Notations{{"casting", "e4m3:model"}}, Notations{{"offload", "block:1"}}, Notations{{"offload", "leaf"}},
                Notations{{"offload", "model"}}, Notations{{"split_ffn", "4"}}})
            expectNear(pair, techniques, {{"step", "inference"}, {"dtype", "float32"}}, 0.01);
}

/// What was asked of the allocator: bytes, and how many requests there had been when they were given back.
struct Request {
    Bytes bytes = 0;
    std::size_t until = 0;

    bool operator==(const Request&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Request& request)
{
    return out << request.bytes << " bytes until request " << request.until;
}

std::vector<Request> requestsOf(const KeptTrace& trace, const trace::PhaseSpan& phase)
{
    std::vector<Request> requests;
    std::map<std::uint64_t, std::size_t> living;
    for (const trace::AllocatorEvent& event : trace.events) {
        if (event.timeNs < phase.beginNs || event.timeNs > phase.endNs)
            continue;
        if (event.action == trace::Action::Alloc) {
            living[event.address] = requests.size();
            requests.push_back({event.requestedBytes, 0});
        } else if (event.action == trace::Action::FreeRequested && living.contains(event.address))
            requests[living.extract(event.address).mapped()].until = requests.size();
    }
    return requests;
}

std::vector<Request> requestsOfLastForward(const config::Trial& trial)
{
    KeptTrace trace;
    const protocol::RepeatResult result = traced(trial, trace);
    EXPECT_EQ(result.outcome, Outcome::Completed) << result.reason;
    const auto last = std::find_if(trace.phases.rbegin(), trace.phases.rend(),
        [](const trace::PhaseSpan& phase) { return phase.name == "forward"; });
    return last == trace.phases.rend() ? std::vector<Request>{} : requestsOf(trace, *last);
}

// Not only the peak: every tensor of the forward, in its order, and when it goes. What is free when a large block is
// asked for decides what an allocator reserves.
TEST(ImportedComparisonTest, handWrittenForwardsHoldWhatTheCapturedOnesHold)
{
    for (const Pair& pair : {flux(), fluxSchnell(), wan(), cogvideox(), cogvideoxRotary(), t5Encoder()})
        for (const Notations& techniques : {Notations{}, Notations{{"attention", "math"}}}) {
            SCOPED_TRACE(pair.handWritten + (techniques.empty() ? "" : ", attention math"));
            const config::ValueMap step{{"step", "inference"}, {"dtype", "float32"}};
            const std::vector<Request> captured = requestsOfLastForward(importedTrial(pair, techniques, step));
            const std::vector<Request> own = requestsOfLastForward(handWrittenTrial(pair, techniques, step));
            ASSERT_GT(captured.size(), 50U);
            ASSERT_EQ(own.size(), captured.size());
            for (std::size_t place = 0; place < own.size(); ++place)
                ASSERT_EQ(own[place], captured[place]) << "request " << place;
        }
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
