// SPDX-License-Identifier: Apache-2.0
#include "core/base/Error.h"
#include "core/config/techniques/CastingDescriptor.h"
#include "core/config/techniques/OffloadDescriptor.h"
#include "experiments/handoff/HandoffWriters.h"
#include "experiments/handoff/PythonCheckpointing.h"
#include "experiments/handoff/PythonEma.h"
#include "experiments/handoff/PythonModule.h"
#include "experiments/handoff/PythonStep.h"
#include "experiments/handoff/PythonTechniques.h"
#include "experiments/handoff/PythonText.h"

namespace headroom::experiments {

using config::CastingNotation;
using config::OffloadNotation;

namespace {

constexpr const char* kCasting = "techniques.casting";
constexpr const char* kOffload = "techniques.offload";

std::string storageDtype(CastingNotation::Storage storage)
{
    switch (storage) {
    case CastingNotation::Storage::E4m3:
        return "torch.float8_e4m3fn";
    case CastingNotation::Storage::E5m2:
        return "torch.float8_e5m2";
    case CastingNotation::Storage::BFloat16:
        return "torch.bfloat16";
    case CastingNotation::Storage::Float16:
        return "torch.float16";
    case CastingNotation::Storage::None:
        break;
    }
    return "";
}

void lackOfCasting(SettingsDraft& draft, const CastingNotation& casting)
{
    if (casting.granularity != CastingNotation::Granularity::Layer)
        draft.lack(kCasting, "diffusers upcasts layer by layer only, and that is what this line does");
    draft.lack(
        "techniques.casting.skip_modules_classes", "add the classes themselves: skip_modules_classes=(FeedForward,)");
    draft.lack("techniques.casting.prefetch", "each layer is upcast when it runs");
    draft.lack("techniques.casting.recompute_casts", "autograd keeps the upcast weights that the backward pass needs");
    draft.lack("techniques.casting.load", "weights are cast before they go to the device, however they are loaded");
}

TextLines castingLines(SettingsDraft& draft)
{
    if (!draft.asks(kCasting))
        return {};
    const CastingNotation casting = config::parseCasting(draft.technique("casting").notation, kCasting);
    const config::CastingOptions options = config::castingOptions(draft.technique("casting").options);
    const std::string storage = storageDtype(casting.storage);
    if (storage.empty())
        return {};
    lackOfCasting(draft, casting);
    std::string call = "model.enable_layerwise_casting(storage_dtype=" + storage
        + ", compute_dtype=" + (options.compute ? torchDtype(*options.compute) : std::string("DTYPE"));
    if (options.skipPatterns)
        call += ", skip_modules_pattern=" + pythonTuple(*options.skipPatterns);
    draft.take("techniques.casting.compute_dtype");
    draft.take("techniques.casting.skip_modules_pattern");
    return {draft.line(call + ")", kCasting)};
}

constexpr const char* kForwardOnly = "enable_group_offload is for inference: it knows nothing of the backward pass, "
                                     "for which autograd keeps the weights on the "
                                     "device";

TextLines placementLines(SettingsDraft& draft)
{
    const OffloadNotation offload = config::parseOffload(draft.technique("offload").notation, kOffload);
    const bool hasGroups =
        offload.groups == OffloadNotation::Groups::Blocks || offload.groups == OffloadNotation::Groups::Leaf;
    if (draft.trains())
        draft.lackAll(kOffload, kForwardOnly);
    else if (!hasGroups)
        draft.lackAll(kOffload, "diffusers moves whole models as parts of a pipeline: enable_model_cpu_offload()");
    if (draft.trains() || !hasGroups)
        return {"model.to(DEVICE)"};
    draft.lack("techniques.offload.host_memory", "weights are pinned where a stream is used, and not otherwise");
    std::string call = "model.enable_group_offload(onload_device=torch.device(DEVICE), offload_type=";
    call += offload.groups == OffloadNotation::Groups::Leaf
        ? "\"leaf_level\""
        : "\"block_level\", num_blocks_per_group=" + std::to_string(offload.blocks);
    if (offload.stream)
        call += ", use_stream=True, non_blocking=True";
    return {draft.line(call + ")", kOffload)};
}

TextLines checkpointingLines(SettingsDraft& draft, const PythonCheckpointing& checkpointing)
{
    if (!checkpointing.isOn())
        return {};
    if (checkpointing.isPlain())
        return {draft.line("model.enable_gradient_checkpointing()", "techniques.checkpointing")};
    if (checkpointing.chosenBlocks() == "None")
        return {draft.line("model.enable_gradient_checkpointing(checkpointed)", "techniques.checkpointing")};
    return {"blocks = " + checkpointing.blocksOfModel(),
        draft.line("chosen = " + checkpointing.chosenBlocks(), "techniques.checkpointing"),
        "regions = {id(block) for number, block in enumerate(blocks) if number in chosen}",
        "model.enable_gradient_checkpointing(",
        "    lambda block, *args: checkpointed(block, *args) if id(block) in regions else block(*args))"};
}

TextLines diffusersImports(SettingsDraft& draft, const PythonCheckpointing& checkpointing, const PythonEma& ema)
{
    TextLines lines{"import torch", "from diffusers import " + upstreamClassOf(draft.configuration()).name};
    if (!checkpointing.isPlain())
        append(lines, checkpointing.imports());
    append(lines, stepImports(draft));
    append(lines, ema.imports);
    if (hasAdapters(draft))
        lines.emplace_back("from peft import LoraConfig");
    return lines;
}

TextLines diffusersPrepare(SettingsDraft& draft, const PythonCheckpointing& checkpointing)
{
    TextLines body = adapterLines(draft, "model.add_adapter(adapters)");
    append(body, castingLines(draft));
    append(body, checkpointingLines(draft, checkpointing));
    append(body, placementLines(draft));
    body.emplace_back("return model");
    TextLines lines{"def prepare(model):"};
    append(lines, indented(body));
    append(lines, {"", ""});
    return lines;
}

void requireDiffusersModel(const config::Configuration& configuration)
{
    if (upstreamClassOf(configuration).library == "diffusers")
        return;
    const bool isOfTransformers = upstreamClassOf(configuration).library == "transformers";
    throw UsageError("found " + configuration.model + ", which is no model of diffusers", "--for",
        isOfTransformers ? "transformers, torchtitan, accelerate, pytorch" : "pytorch, accelerate, transformers");
}

} // namespace

TextLines diffusersSettings(SettingsDraft& draft)
{
    requireDiffusersModel(draft.configuration());
    PythonCheckpointing checkpointing(draft);
    const PythonEma ema = diffusersEma(draft);
    TextLines lines = allocatorLines(draft);
    append(lines, importLines(diffusersImports(draft, checkpointing, ema)));
    append(lines, moduleConstants(draft));
    append(lines, loadFunction(draft, "subfolder=\"transformer\", torch_dtype=DTYPE"));
    append(lines, trainedFunction(draft));
    if (checkpointing.isPlain())
        draft.take("techniques.checkpointing.early_stop");
    else
        append(lines, checkpointing.functions());
    append(lines, diffusersPrepare(draft, checkpointing));
    append(lines, optimizerFunction(draft));
    append(lines, ema.function);
    append(lines, stepFunction(draft, StepStyle::Plain, ema.update));
    lackWhatIsNotOfTheTrainer(draft);
    return lines;
}

} // namespace headroom::experiments
