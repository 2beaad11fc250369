// SPDX-License-Identifier: Apache-2.0
//
// Op-level checkpointing and inputs on the host through the real measurement: measured against simulated, to the byte
// and with the host pool, and against closed forms.
#include "tests/profiling/comparisons/TrialRun.h"

#include "tests/support/Configurations.h"

#include <gmock/gmock.h>

#include <bit>
#include <random>

namespace headroom::collectors::checkpointing_forms_test {
namespace {

constexpr std::int64_t kLayers = 6;
constexpr std::int64_t kDim = 32;
constexpr std::int64_t kMult = 4;
constexpr std::int64_t kTokens = 2 * 96;
constexpr Bytes kHidden = kTokens * kDim * 4; ///< one [tokens, dim] tensor of floats

struct Case {
    std::string checkpointing = "none";
    config::ValueMap options{};
    config::ValueMap fields{};
    config::ValueMap workload{};
    std::string splitFfn = "off";

    config::Trial trial(const std::string& device) const
    {
        config::ValueMap ownFields{{"num_layers", kLayers}, {"dim", kDim}, {"mult", kMult}};
        config::ValueMap ownWorkload{{"step", "forward_backward"}, {"batch", 2}, {"sequence_length", 96}};
        for (const auto& [name, value] : fields)
            ownFields[name] = value;
        for (const auto& [name, value] : workload)
            ownWorkload[name] = value;
        config::Trial result = trialOf(device, ownFields, ownWorkload);
        split(result, splitFfn);
        setCheckpointing(result);
        return result;
    }
    void setCheckpointing(config::Trial& trial) const
    {
        choose(trial.configuration, "checkpointing", checkpointing, options);
    }
};

void expectEqual(const config::Trial& onCpu, const config::Trial& simulated, const std::string& text)
{
    const protocol::RepeatResult cpu = measured(onCpu), sim = measured(simulated);
    ASSERT_TRUE(cpu.memory.peak.allocated.has_value()) << text << ": " << cpu.reason;
    EXPECT_EQ(cpu.memory.peak.allocated, sim.memory.peak.allocated) << text;
    EXPECT_EQ(cpu.memory.peak.hostPinned, sim.memory.peak.hostPinned) << text;
    EXPECT_EQ(cpu.memory.peak.hostPageable, sim.memory.peak.hostPageable) << text;
    EXPECT_EQ(cpu.memory.savedForBackward, sim.memory.savedForBackward) << text;
    EXPECT_EQ(cpu.memory.resting.allocated, sim.memory.resting.allocated) << text;
    EXPECT_EQ(cpu.engagement, sim.engagement) << text;
    EXPECT_EQ(cpu.effective, sim.effective) << text;
}

void expectEqual(const Case& tried)
{
    expectEqual(tried.trial("cpu"), tried.trial("sim:cpu"), tried.checkpointing + ", " + tried.splitFfn);
}

const char* const kForms[]{"ops", "ops:mm/2", "all+offload", "every:2+offload", "ops+offload", "ops:mm/3+offload"};

TEST(CheckpointingFormsTest, simulatedPeaksAreTheMeasuredOnesToTheByte)
{
    for (const char* form : kForms)
        for (const char* step : {"forward_backward", "train"})
            for (const char* dtype : {"float32", "bfloat16"})
                for (const bool bias : {false, true})
                    expectEqual({.checkpointing = form,
                        .fields = {{"bias", bias}, {"dropout", 0.1}},
                        .workload = {{"step", step}, {"dtype", dtype}, {"accumulate", 2}}});
}

TEST(CheckpointingFormsTest, simulatedPeaksOfSplitLayersAreTheMeasuredOnesToTheByte)
{
    for (const char* form : kForms)
        for (const char* splitFfn : {"4", "4:recompute", "tokens:4"})
            expectEqual({.checkpointing = form, .fields = {{"activation_fn", "geglu"}}, .splitFfn = splitFfn});
}

TEST(CheckpointingFormsTest, simulatedPeaksOfLtxAreTheMeasuredOnesToTheByte)
{
    const config::ValueMap fields{{"num_layers", 4}, {"num_attention_heads", 2}, {"attention_head_dim", 16},
        {"caption_channels", 24}, {"in_channels", 16}, {"out_channels", 16}};
    for (const char* form : kForms)
        for (const char* dtype : {"float32", "bfloat16"}) {
            const auto trial = [&](const char* device) {
                config::Trial result = trialOfModel("ltx-video-2b", device, fields,
                    {{"step", "forward_backward"}, {"dtype", dtype}, {"frames", 9}, {"height", 128}, {"width", 160},
                        {"text_tokens", 7}});
                Case{.checkpointing = form}.setCheckpointing(result);
                return result;
            };
            expectEqual(trial("cpu"), trial("sim:cpu"), std::string(form) + " " + dtype);
        }
}

Case randomCase(std::mt19937& random)
{
    const auto between = [&](int least, int most) { return least + static_cast<int>(random() % (most - least + 1)); };
    const auto oneOf = [&](std::vector<std::string> texts) { return texts[random() % texts.size()]; };
    Case drawn{.checkpointing = oneOf({"all", "every:2", "except:2", "blocks:0-1", "skip:1", "ops", "ops:mm/2",
                   "ops:mm/3", "strategy:all_but_last"}),
        .options = {{"early_stop", between(0, 1) == 1}},
        .fields = {{"num_layers", between(2, 7)}, {"dim", 4 * between(1, 12)}, {"mult", 4 * between(1, 2)},
            {"activation_fn", oneOf({"gelu", "gelu-approximate", "geglu", "swiglu"})}, {"bias", between(0, 1) == 1},
            {"dropout", 0.25 * between(0, 1)}},
        .workload = {{"step", oneOf({"forward_backward", "train"})}, {"dtype", oneOf({"float32", "bfloat16"})},
            {"gradients", oneOf({"set_to_none", "zero", "keep"})}, {"accumulate", between(1, 2)},
            {"batch", between(1, 3)}, {"sequence_length", 4 * between(1, 30)}},
        .splitFfn = oneOf({"off", "off", "4", "2:recompute", "tokens:2"})};
    if (drawn.checkpointing == "ops" && between(0, 1) == 1)
        drawn.options["save_ops"] = config::Value::List{"addmm", "gelu", "mul"};
    if (drawn.checkpointing.starts_with("ops") && between(0, 1) == 1)
        drawn.options["force_recompute"] = config::Value::List{"net.2"};
    if (between(0, 1) == 1)
        drawn.checkpointing += "+offload";
    return drawn;
}

TEST(CheckpointingFormsTest, twentyRandomConfigurationsAreTheMeasuredOnesToTheByte)
{
    std::mt19937 random(41);
    for (int i = 0; i < 20; ++i)
        expectEqual(randomCase(random));
}

Bytes savedBytesOf(const char* checkpointing, const config::ValueMap& options = {}, bool bias = true)
{
    return measured(
        Case{.checkpointing = checkpointing, .options = options, .fields = {{"activation_fn", "gelu"}, {"bias", bias}}}
            .trial("sim:cpu"))
        .memory.savedForBackward.value_or(-1);
}

// In units of one [tokens, dim] tensor: plain layers save their input and twice mult inside; with ops the projection
// and the output are kept, the latter being the next layer's input, and the last one's nobody needs.
TEST(CheckpointingFormsTest, opsSavesMoreThanAllAndLessThanNone)
{
    EXPECT_EQ(savedBytesOf("none"), (kLayers - 1 + kLayers * 2 * kMult) * kHidden);
    EXPECT_EQ(savedBytesOf("ops"), (kLayers - 1 + kLayers * kMult + 1) * kHidden);
    EXPECT_EQ(savedBytesOf("ops:mm/2"), savedBytesOf("ops")) << "all products have a bias";
    EXPECT_EQ(savedBytesOf("ops", {}, false), savedBytesOf("ops"));
    EXPECT_EQ(savedBytesOf("ops:mm/2", {}, false), (kLayers - 1 + kLayers * kMult) * kHidden) << "the projection alone";
    EXPECT_EQ(savedBytesOf("ops", {{"force_recompute", config::Value::List{"proj"}}}), kLayers * kHidden)
        << "the output alone";
    EXPECT_EQ(savedBytesOf("all"), (kLayers - 1) * kHidden);
    EXPECT_EQ(savedBytesOf("all+offload"), kHidden) << "the last layer's input; the first one's is the batch";
}

// The peak is that of the backward pass, which begins with the last layer. Gradients are there all the time. With
// offloading two inputs are on the device then, the last layer's and the one that comes back; without, all of them.
TEST(CheckpointingFormsTest, offloadingLeavesTwoInputsOnTheDevice)
{
    for (const char* device : {"cpu", "sim:cpu"}) {
        const auto memoryOf = [&](const char* checkpointing) {
            return measured(Case{.checkpointing = checkpointing, .workload = {{"gradients", "keep"}}}.trial(device))
                .memory;
        };
        const auto all = memoryOf("all"), offloaded = memoryOf("all+offload");
        EXPECT_EQ(*all.peak.allocated - *offloaded.peak.allocated, (kLayers - 1 - 2) * kHidden) << device;
        EXPECT_EQ(offloaded.peak.hostPinned.value_or(0) - all.peak.hostPinned.value_or(0),
            (kLayers - 2) * static_cast<Bytes>(std::bit_ceil(static_cast<std::uint64_t>(kHidden))));
    }
}

TEST(CheckpointingFormsTest, whatGoesToTheHostIsCounted)
{
    const auto counters =
        measured(Case{.checkpointing = "all+offload", .workload = {{"step", "train"}, {"accumulate", 3}}}.trial("cpu"))
            .engagement.at("checkpointing");
    EXPECT_EQ(counters.at("bytes_to_host"), 3 * (kLayers - 2) * kHidden);
}

// What is kept is not computed again, so it costs no time there.
TEST(CheckpointingFormsTest, keptResultsCostNoTimeOnASimulatedDevice)
{
    const auto seconds = [](const char* checkpointing) {
        return measured(Case{.checkpointing = checkpointing, .fields = {{"bias", false}}}.trial("sim:a100-80gb"))
            .stepSeconds.front();
    };
    EXPECT_GT(seconds("ops"), seconds("none"));
    EXPECT_GT(seconds("ops:mm/2"), seconds("none"));
    EXPECT_GT(seconds("all"), seconds("ops"));
}

TEST(CheckpointingFormsTest, whatIsKeptIsSaidOnceItHasRun)
{
    const protocol::RepeatResult result = measured(
        Case{.checkpointing = "ops:mm/2", .fields = {{"activation_fn", "gelu"}, {"bias", false}}}.trial("sim:cpu"));
    EXPECT_EQ(
        result.effective.at("checkpointing"), "6 of 6 blocks checkpointed, each keeping 1 of 3 ops' results (1 mm)");
    EXPECT_EQ(result.engagement.at("checkpointing").at("ops_recomputed"), kLayers * 1) << "gelu";
}

} // namespace
} // namespace headroom::collectors::checkpointing_forms_test
