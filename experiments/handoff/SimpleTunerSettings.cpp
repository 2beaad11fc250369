// SPDX-License-Identifier: Apache-2.0
#include "core/base/Error.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/config/techniques/CheckpointNotation.h"
#include "core/config/techniques/CheckpointingDescriptor.h"
#include "core/config/techniques/EmaDescriptor.h"
#include "core/config/techniques/OffloadDescriptor.h"
#include "core/config/techniques/OptimizerDescriptor.h"
#include "core/config/techniques/TrainableDescriptor.h"
#include "experiments/handoff/HandoffWriters.h"
#include "experiments/handoff/PythonTechniques.h"
#include "experiments/handoff/PythonText.h"

#include <map>

namespace headroom::experiments {

using config::CheckpointPolicy;
using config::Dtype;
using config::EmaPlacement;
using config::OffloadNotation;
using config::OptimizerNotation;

namespace {

std::string tunerReal(double value)
{
    return config::toToml(config::Value(value));
}

// SimpleTuner's name of a family of ours.
std::string tunerFamily(const config::Configuration& configuration)
{
    static const std::map<std::string, std::string> families{
        {"ltx-video", "ltxvideo"}, {"flux", "flux"}, {"wan", "wan"}};
    const std::string& family = config::findModel(configuration.model, "model.name").family->name;
    const auto found = families.find(family);
    if (found == families.end())
        throw UsageError("found " + configuration.model + ", which is no model of SimpleTuner", "--for",
            "a model of ltx-video, flux or wan, or another target");
    return found->second;
}

TextLines modelKeys(SettingsDraft& draft)
{
    TextLines lines{draft.line("model_family = \"" + tunerFamily(draft.configuration()) + "\"", "model.name")};
    if (draft.asks("model.weights"))
        lines.push_back(draft.line("pretrained_transformer_model_name_or_path = "
                + config::toToml(config::Value(config::weightsOf(draft.configuration().modelFields))),
            "model.weights"));
    const config::TechniqueSetting& setting = draft.technique(config::kTrainableKey);
    if (!hasAdapters(draft)) {
        lines.emplace_back("model_type = \"full\"");
        return lines;
    }
    const std::string rank = std::to_string(config::parseTrainable(setting.notation, "trainable").rank);
    const config::Value& alpha = setting.options.at("alpha");
    append(lines,
        {"model_type = \"lora\"", draft.line("lora_rank = " + rank, "techniques.trainable"),
            draft.line(
                "lora_alpha = " + (alpha.isNull() ? rank : config::toLabel(alpha)), "techniques.trainable.alpha"),
            draft.line(
                "lora_dropout = " + config::toToml(setting.options.at("dropout")), "techniques.trainable.dropout")});
    draft.lack("techniques.trainable.target_modules", "SimpleTuner has targets of its own for each model family");
    draft.lack("techniques.trainable.dtype", "adapters have the number format of its mixed_precision");
    return lines;
}

TextLines stepKeys(SettingsDraft& draft)
{
    const config::Workload& workload = draft.workload();
    const bool isBrain = workload.dtype == Dtype::BFloat16 || workload.autocast == "bfloat16";
    const bool isHalf = workload.dtype == Dtype::Float16 || workload.autocast == "float16";
    TextLines lines{draft.line(std::string("mixed_precision = \"")
            + (isBrain       ? "bf16"
                    : isHalf ? "fp16"
                             : "no")
            + "\"",
        "workload.dtype")};
    draft.lack(
        "workload.autocast", "mixed_precision decides the number format of weights and of the computation together");
    if (workload.dtype == Dtype::Float64)
        draft.lack("workload.dtype", "SimpleTuner computes in float32 at most");
    lines.push_back(draft.line("train_batch_size = " + config::toLabel(workload.shapes.at("batch")), "workload.batch"));
    lines.push_back(
        draft.line("gradient_accumulation_steps = " + std::to_string(workload.accumulate), "workload.accumulate"));
    lines.push_back(draft.line("max_grad_norm = " + tunerReal(workload.clipGradNorm), "workload.clip_grad_norm"));
    if (workload.gradients == config::GradientClearing::SetToNone)
        lines.push_back("set_grads_to_none = true");
    draft.take("workload.step");
    if (workload.gradients == config::GradientClearing::Zero)
        draft.take("workload.gradients");
    lines.push_back(draft.line("seed = " + std::to_string(workload.seed), "workload.seed"));
    return lines;
}

TextLines optimizerKeys(SettingsDraft& draft)
{
    const config::TechniqueSetting& setting = draft.technique("optimizer");
    const OptimizerNotation optimizer = config::parseOptimizer(setting.notation, "optimizer");
    const config::OptimizerOptions options = config::optimizerOptions(setting);
    const bool isSgd = optimizer.rule == OptimizerNotation::Rule::Sgd;
    draft.takeAll("techniques.optimizer");
    draft.lack("techniques.optimizer", "PyTorch chooses the form: foreach on CUDA");
    draft.lack("techniques.optimizer.state_dtype", "the state has the parameters' number format");
    const std::string more = isSgd ? "momentum=" + config::toLabel(config::Value(options.momentum))
                                   : "eps=" + config::toLabel(config::Value(options.eps));
    TextLines lines{
        draft.line(std::string("optimizer = ") + (isSgd ? "\"torch-sgd\"" : "\"torch-adamw\""), "techniques.optimizer"),
        "learning_rate = " + tunerReal(options.learningRate),
        "optimizer_config = \"" + more + ",weight_decay=" + config::toLabel(config::Value(options.weightDecay)) + "\""};
    if (!isSgd)
        append(
            lines, {"optimizer_beta1 = " + tunerReal(options.beta1), "optimizer_beta2 = " + tunerReal(options.beta2)});
    return lines;
}

TextLines intervalKeys(SettingsDraft& draft, const CheckpointPolicy& policy)
{
    const std::string period = std::to_string(policy.period);
    if (tunerFamily(draft.configuration()) != "flux") {
        draft.lack("techniques.checkpointing",
            "SimpleTuner has an interval for flux, and not for this family: all blocks run again");
        return {"gradient_checkpointing = true"};
    }
    if (policy.period > 1)
        draft.lack("techniques.checkpointing", "SimpleTuner counts the single blocks from 0 again, and has no offset");
    return {"gradient_checkpointing = true",
        draft.line("gradient_checkpointing_interval = " + period, "techniques.checkpointing")};
}

TextLines checkpointKeys(SettingsDraft& draft)
{
    const char* path = "techniques.checkpointing";
    const CheckpointPolicy policy = config::parseCheckpointing(draft.technique("checkpointing").notation, path);
    if (policy.kind == CheckpointPolicy::Kind::None)
        return {"gradient_checkpointing = false"};
    draft.lack("techniques.checkpointing.early_stop", "PyTorch's checkpoints stop early");
    draft.lack("techniques.checkpointing.save_ops", "blocks run again as a whole");
    draft.lack("techniques.checkpointing.force_recompute", "blocks run again as a whole");
    if (policy.offload)
        draft.lack(path, "inputs of blocks stay on the device");
    if (policy.kind == CheckpointPolicy::Kind::Every)
        return intervalKeys(draft, policy);
    if (policy.kind != CheckpointPolicy::Kind::All)
        draft.lack(path, "SimpleTuner checkpoints all blocks, as a whole");
    return {draft.line("gradient_checkpointing = true", path)};
}

TextLines offloadKeys(SettingsDraft& draft)
{
    const char* path = "techniques.offload";
    const OffloadNotation offload = config::parseOffload(draft.technique("offload").notation, path);
    if (offload.groups == OffloadNotation::Groups::None)
        return {};
    if (offload.groups == OffloadNotation::Groups::Model) {
        draft.lackAll(path, "SimpleTuner offloads blocks or layers, not the model as one group");
        return {};
    }
    draft.lack(path,
        "its hooks know nothing of the backward pass: of blocks that are not checkpointed autograd keeps the weights "
        "on the device");
    draft.lack("techniques.offload.host_memory", "weights are pinned where a stream is used, and not otherwise");
    const bool isLeaf = offload.groups == OffloadNotation::Groups::Leaf;
    TextLines lines{draft.line("enable_group_offload = true", path),
        std::string("group_offload_type = ") + (isLeaf ? "\"leaf_level\"" : "\"block_level\"")};
    if (!isLeaf)
        lines.push_back("group_offload_blocks_per_group = " + std::to_string(offload.blocks));
    if (offload.stream)
        lines.emplace_back("group_offload_use_stream = true");
    return lines;
}

void lackOfTunerEma(SettingsDraft& draft, const config::EmaSettings& settings)
{
    if (settings.placement == EmaPlacement::HostAsync)
        draft.lack("techniques.ema", "the shadow moves to the device and back as a whole for each update");
    for (const char* option : {"decays", "blocking", "pinned", "slice_bytes", "parameters"})
        draft.lack(std::string("techniques.ema.") + option, "SimpleTuner decides this itself");
    for (const char* option : {"min_decay", "update_after_step", "use_ema_warmup", "inv_gamma", "power"})
        draft.lack(std::string("techniques.ema.") + option, "SimpleTuner's EMA has a schedule of its own");
    if (settings.mode == config::EmaMode::ForeachNoTemporary)
        draft.lack("techniques.ema.mode", "SimpleTuner's foreach has a temporary of all parameters");
    draft.take("techniques.ema.mode");
}

TextLines emaKeys(SettingsDraft& draft)
{
    if (!draft.asks("techniques.ema"))
        return {};
    const config::EmaSettings settings = config::emaSettings(draft.technique("ema"));
    lackOfTunerEma(draft, settings);
    const bool isOnDevice = settings.placement == EmaPlacement::Device;
    TextLines lines{draft.line("use_ema = true", "techniques.ema"),
        std::string("ema_device = ") + (isOnDevice ? "\"accelerator\"" : "\"cpu\""),
        draft.line("ema_decay = " + tunerReal(settings.schedules.front().decay), "techniques.ema.decay"),
        draft.line("ema_update_interval = " + std::to_string(settings.interval), "techniques.ema.interval")};
    if (settings.placement == EmaPlacement::HostCpu)
        lines.emplace_back("ema_cpu_only = true");
    if (settings.mode == config::EmaMode::Loop)
        lines.emplace_back("ema_foreach_disable = true");
    return lines;
}

void lackOfSimpleTuner(SettingsDraft& draft)
{
    for (const char* shape : {"frames", "height", "width"})
        draft.lack(std::string("workload.") + shape,
            "said for each data set, in multidatabackend.json (resolution, num_frames)");
    draft.lack("workload.text_tokens", "the model family's own, or tokenizer_max_length");
    if (draft.workload().step != config::StepKind::Train)
        draft.lack("workload.step", "SimpleTuner runs its optimizer after the backward pass");
    draft.lackAll("techniques.casting",
        "base_model_precision quantises with scales (int8-quanto, fp8-torchao), which is another thing than casting");
    draft.lackAll(
        "techniques.attention", "attention_mechanism chooses other libraries' kernels; diffusers' is PyTorch's choice");
    draft.lack("device.allocator", "set PYTORCH_ALLOC_CONF=" + draft.trial().allocator + " in its environment");
    lackWhatIsNotOfTheTrainer(draft);
}

} // namespace

TextLines simpleTunerSettings(SettingsDraft& draft)
{
    requireTraining(draft, "SimpleTuner");
    TextLines lines = modelKeys(draft);
    append(lines, stepKeys(draft));
    append(lines, optimizerKeys(draft));
    append(lines, checkpointKeys(draft));
    append(lines, offloadKeys(draft));
    append(lines, emaKeys(draft));
    lackOfSimpleTuner(draft);
    return lines;
}

} // namespace headroom::experiments
