// SPDX-License-Identifier: Apache-2.0
#include "experiments/handoff/Handoff.h"

#include "core/base/Error.h"
#include "experiments/handoff/PythonCheckpointing.h"
#include "experiments/handoff/SettingsDraft.h"
#include "experiments/spec/PresetCatalogue.h"
#include "experiments/spec/SpecLoader.h"
#include "experiments/sweep/Sweep.h"
#include "tests/support/Checkout.h"
#include "tests/support/Refusal.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace headroom::experiments::handoff_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

config::Trial trialOf(const std::string& toml)
{
    const std::vector<PlannedTrial> trials = expand(loadSpecText(toml, "test.toml", {}));
    EXPECT_EQ(trials.size(), 1U);
    EXPECT_TRUE(trials.front().isRunnable()) << trials.front().skipReason();
    return trials.front().trial;
}

// The file without the comment at its top.
std::string bodyOf(const Handoff& handoff)
{
    return handoff.text.substr(handoff.text.find("\n\n") + 2);
}

std::vector<std::string> lackingPaths(const Handoff& handoff)
{
    std::vector<std::string> paths;
    for (const LackingSetting& each : handoff.lacking)
        paths.push_back(each.path);
    return paths;
}

constexpr const char* kLlama = R"(
[model]
name = "llama-3-8b"
[workload]
step = "train"
dtype = "bfloat16"
batch = 2
sequence_length = 4096
accumulate = 4
clip_grad_norm = 1.0
[techniques]
checkpointing = "every:4@3"
[techniques.optimizer]
notation = "adamw:fused"
lr = 0.0003
)";

TEST(HandoffTest, writesTorchtitansFile)
{
    const Handoff handoff = handOff(trialOf(kLlama), "torchtitan");
    EXPECT_EQ(handoff.file, "train_config.toml");
    EXPECT_THAT(handoff.lacking, IsEmpty());
    EXPECT_EQ(bodyOf(handoff), R"([model]
name = "llama3"  # model.name = llama-3-8b
flavor = "8B"

[training]  # step = train
local_batch_size = 2  # batch = 2
global_batch_size = 8  # accumulate = 4
seq_len = 4096  # sequence_length = 4096
# The loss is torchtitan's own.  # loss = cross_entropy
max_norm = 1.0  # clip_grad_norm = 1.0
dtype = "bfloat16"  # dtype = bfloat16
mixed_precision_param = "float32"

[optimizer]
name = "AdamW"  # optimizer = adamw:fused
implementation = "fused"
lr = 3e-04
beta1 = 0.9
beta2 = 0.999
eps = 1e-08
weight_decay = 0.01

[activation_checkpoint]
mode = "selective"
selective_ac_option = "4"  # checkpointing = every:4@3
early_stop = true

[compile]
enable = false
)");
}

TEST(HandoffTest, writesDiffusersInference)
{
    const Handoff handoff = handOff(trialOf(R"(
[model]
name = "flux-dev"
[workload]
dtype = "bfloat16"
height = 512
[techniques]
casting = "e5m2"
offload = "block:2+stream"
)"),
        "diffusers");
    EXPECT_THAT(handoff.lacking, IsEmpty());
    EXPECT_EQ(bodyOf(handoff), R"(import torch
from diffusers import FluxTransformer2DModel

DEVICE = "cuda"
DTYPE = torch.bfloat16
BATCH = 1
HEIGHT = 512
TEXT_TOKENS = 512
WIDTH = 1024


def load(source):
    """The weights: a folder, or a name on the hub."""
    return FluxTransformer2DModel.from_pretrained(source, subfolder="transformer", torch_dtype=DTYPE)  # model.name = flux-dev


def prepare(model):
    model.enable_layerwise_casting(storage_dtype=torch.float8_e5m2, compute_dtype=DTYPE)  # casting = e5m2
    model.enable_group_offload(onload_device=torch.device(DEVICE), offload_type="block_level", num_blocks_per_group=2, use_stream=True, non_blocking=True)  # offload = block:2+stream
    return model


@torch.no_grad()
def infer(model, *args, **kwargs):  # step = inference
    return model(*args, **kwargs)
)");
}

TEST(HandoffTest, choosesBlocksOfAModelWithTwoLists)
{
    config::Trial trial = trialOf(R"(
[model]
name = "flux-dev"
[techniques]
checkpointing = "blocks:0.20"
)");
    EXPECT_THAT(blockListPaths(trial.configuration), ElementsAre("transformer_blocks", "single_transformer_blocks"));
    const Handoff handoff = handOff(trial, "pytorch");
    EXPECT_THAT(handoff.text,
        HasSubstr("    chosen = {0, 20}  # checkpointing = blocks:0.20\n"
                  "    for number, block in enumerate([*model.transformer_blocks, "
                  "*model.single_transformer_blocks]):\n"));
}

TEST(HandoffTest, knowsTheBlocksOfEveryFamily)
{
    const std::vector<std::pair<std::string, std::string>> expected{{"ltx-video-2b", "transformer_blocks"},
        {"wan-2.1-1.3b", "blocks"}, {"cogvideox-2b", "transformer_blocks"}, {"llama-3-8b", "model.layers"},
        {"t5-v1.1-xxl", "encoder.block"}, {"ffn-stack", "layers"}};
    for (const auto& [model, path] : expected)
        EXPECT_THAT(blockListPaths(config::defaultConfiguration(model, "test")), ElementsAre(path)) << model;
}

TEST(HandoffTest, namesWhatATrainerLacks)
{
    const config::Trial trial = trialOf(R"(
[model]
name = "llama-3-8b"
num_hidden_layers = 16
[techniques]
trainable = "lora:8"
checkpointing = "every:4"
ema = "host"
optimizer = "sgd"
attention = "math"
)");
    const Handoff handoff = handOff(trial, "torchtitan");
    EXPECT_THAT(lackingPaths(handoff),
        ElementsAre("model.num_hidden_layers", "techniques.trainable", "techniques.optimizer",
            "techniques.checkpointing", "techniques.attention", "techniques.ema"));
    EXPECT_THAT(handoff.text, HasSubstr("#   trainable = lora:8: torchtitan 0.2 trains all parameters\n"));
    EXPECT_THAT(handoff.text, HasSubstr("torchtitan checkpoints the last of every 4 blocks, which is every:4@3"));
}

// Their optimizers update in place: a step that was predicted with state replaced is not the one that they do.
TEST(HandoffTest, anOptimizerOfExpressionsHasNoPlaceInPyTorch)
{
    const config::Trial trial = trialOf(R"(
[model]
name = "llama-3-8b"
[workload]
step = "train"
[techniques]
optimizer = "adamw:expressions"
)");
    for (const char* target : {"torchtitan", "pytorch"})
        EXPECT_THAT(lackingPaths(handOff(trial, target)), testing::Contains("techniques.optimizer")) << target;
}

TEST(HandoffTest, recomputationTakesTheSameAttentionKernel)
{
    const std::string text = handOff(trialOf(R"(
[model]
name = "ltx-video-2b"
[workload]
autocast = "bfloat16"
[techniques]
checkpointing = "all"
attention = "efficient"
)"),
        "pytorch")
                                 .text;
    const auto kernel = text.find("    with sdpa_kernel(");
    const auto autocast = text.find("with torch.autocast(");
    const auto backward = text.find("            loss.backward()");
    EXPECT_LT(kernel, autocast);
    EXPECT_LT(autocast, backward);
    EXPECT_NE(backward, std::string::npos);
}

// Of everything that a trial asks for, the text has the value or the list says why not.
TEST(HandoffTest, losesNothingOfAnyPreset)
{
    std::size_t settings = 0;
    for (const Preset& preset : listPresets(shippedResources()))
        for (const PlannedTrial& planned : expand(loadPreset(preset.name, shippedResources(), {})))
            for (const HandoffTarget& target : handoffTargets()) {
                if (!planned.isRunnable())
                    continue;
                try {
                    const Handoff handoff = handOff(planned.trial, target.name);
                    const auto lacking = lackingPaths(handoff);
                    for (const AskedSetting& asked : askedSettings(planned.trial)) {
                        const auto dots = std::ranges::count(asked.path, '.');
                        if (asked.path.starts_with("model.") || dots > 1 || std::ranges::count(lacking, asked.path) > 0)
                            continue;
                        ++settings;
                        EXPECT_THAT(bodyOf(handoff), HasSubstr(asked.notation))
                            << preset.name << ", " << target.name << ": " << asked.path;
                    }
                } catch (const UsageError& error) {
                    EXPECT_THAT(error.what(), HasSubstr("--for")); // an inference step, or no model of the library
                }
            }
    EXPECT_GT(settings, 1000U);
}

TEST(HandoffTest, refusesWhatATargetCannotRun)
{
    const config::Trial inference = trialOf("[model]\nname = \"llama-3-8b\"");
    for (const char* target : {"torchtitan", "transformers", "accelerate"})
        EXPECT_THROW(handOff(inference, target), UsageError) << target;
    EXPECT_THROW(handOff(inference, "diffusers"), UsageError);
    EXPECT_THROW(handOff(trialOf("[model]\nname = \"t5-v1.1-xxl\""), "diffusers"), UsageError);
    EXPECT_THROW(handOff(trialOf(kLlama), "simpletuner"), UsageError);
    try {
        handOff(inference, "torchtitn");
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_THAT(error.what(), HasSubstr("did you mean \"torchtitan\"?"));
    }
}

} // namespace
} // namespace headroom::experiments::handoff_test
