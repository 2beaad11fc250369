// SPDX-License-Identifier: Apache-2.0
#include "core/config/techniques/CheckpointNotation.h"
#include "core/config/techniques/CheckpointingDescriptor.h"
#include "core/config/techniques/OptimizerDescriptor.h"
#include "experiments/handoff/HandoffWriters.h"
#include "experiments/handoff/PythonTechniques.h"
#include "experiments/handoff/PythonText.h"

#include <map>

namespace headroom::experiments {

using config::CheckpointPolicy;
using config::Dtype;
using config::OptimizerNotation;

namespace {

constexpr const char* kPolicy = "techniques.checkpointing";

/// A model that torchtitan has, by its names.
struct TorchtitanModel {
    std::string name;
    std::string flavor;
};

const std::map<std::string, TorchtitanModel>& torchtitanModels()
{
    static const std::map<std::string, TorchtitanModel> models{{"llama-3-8b", {"llama3", "8B"}},
        {"flux-dev", {"flux", "flux-dev"}}, {"flux-schnell", {"flux", "flux-schnell"}}};
    return models;
}

std::string tomlReal(double value)
{
    return config::toToml(config::Value(value));
}

std::string quoted(const std::string& text)
{
    return config::toToml(config::Value(text));
}

TextLines modelTable(SettingsDraft& draft)
{
    const auto found = torchtitanModels().find(draft.configuration().model);
    if (found == torchtitanModels().end()) {
        draft.lack("model.name", "no flavor of torchtitan is this model: name its own in [model]");
        return {};
    }
    return {"[model]", draft.line("name = " + quoted(found->second.name), "model.name"),
        "flavor = " + quoted(found->second.flavor), ""};
}

TextLines numberFormats(SettingsDraft& draft)
{
    const bool isBrain = draft.workload().dtype == Dtype::BFloat16;
    const bool isMixed = draft.workload().autocast == "bfloat16";
    if (!isBrain && draft.workload().dtype != Dtype::Float32)
        draft.lack("workload.dtype", "torchtitan trains in float32 or bfloat16, and this line says float32");
    if (draft.workload().autocast == "float16")
        draft.lack("workload.autocast", "torchtitan's mixed precision is bfloat16");
    return {draft.line(std::string("dtype = ") + (isBrain ? "\"bfloat16\"" : "\"float32\""), "workload.dtype"),
        draft.line(
            std::string("mixed_precision_param = ") + (isMixed ? "\"bfloat16\"" : "\"float32\""), "workload.autocast")};
}

TextLines trainingTable(SettingsDraft& draft)
{
    const config::Workload& workload = draft.workload();
    TextLines lines{draft.line("[training]", "workload.step")};
    if (const auto batch = workload.shapes.find("batch"); batch != workload.shapes.end()) {
        const std::int64_t local = batch->second.integer();
        lines.push_back(draft.line("local_batch_size = " + std::to_string(local), "workload.batch"));
        lines.push_back(
            draft.line("global_batch_size = " + std::to_string(local * workload.accumulate), "workload.accumulate"));
    }
    if (const auto length = workload.shapes.find("sequence_length"); length != workload.shapes.end())
        lines.push_back(draft.line("seq_len = " + config::toLabel(length->second), "workload.sequence_length"));
    if (draft.asks("workload.loss") && workload.loss == config::Loss::CrossEntropy)
        lines.push_back(draft.line("# The loss is torchtitan's own.", "workload.loss"));
    const double norm = workload.clipGradNorm;
    lines.push_back(draft.line(
        "max_norm = " + (norm == 0 ? std::string("inf  # no clipping") : tomlReal(norm)), "workload.clip_grad_norm"));
    append(lines, numberFormats(draft));
    const std::string& origin = draft.technique("input_transfer").notation;
    if (origin != "resident")
        append(lines,
            {"", "[training.dataloader]",
                draft.line(std::string("pin_memory = ") + (origin == "pinned" ? "true" : "false"),
                    "techniques.input_transfer")});
    lines.emplace_back("");
    return lines;
}

std::string implementation(OptimizerNotation::Form form)
{
    if (form == OptimizerNotation::Form::Fused)
        return "fused";
    return form == OptimizerNotation::Form::Foreach ? "foreach" : "for-loop";
}

TextLines optimizerTable(SettingsDraft& draft)
{
    const config::TechniqueSetting& setting = draft.technique("optimizer");
    const OptimizerNotation optimizer = config::parseOptimizer(setting.notation, "optimizer");
    if (optimizer.rule != OptimizerNotation::Rule::Adamw) {
        draft.lackAll("techniques.optimizer", "torchtitan has Adam and AdamW only; without this table it takes AdamW");
        return {};
    }
    const config::OptimizerOptions options = config::optimizerOptions(setting);
    draft.takeAll("techniques.optimizer");
    if (optimizer.form == OptimizerNotation::Form::Expressions)
        draft.lack("techniques.optimizer",
            "PyTorch's loop instead, which makes fewer tensors than an optimizer written from the formula");
    draft.lack("techniques.optimizer.state_dtype", "the state has the parameters' number format");
    return {"[optimizer]", draft.line("name = \"AdamW\"", "techniques.optimizer"),
        "implementation = " + quoted(implementation(optimizer.form)), "lr = " + tomlReal(options.learningRate),
        "beta1 = " + tomlReal(options.beta1), "beta2 = " + tomlReal(options.beta2), "eps = " + tomlReal(options.eps),
        "weight_decay = " + tomlReal(options.weightDecay), ""};
}

// torchtitan counts its layers from 1 and checkpoints each whose number N divides: the last of every N.
TextLines everyNth(SettingsDraft& draft, const CheckpointPolicy& policy)
{
    if (policy.phase != policy.period - 1)
        draft.lack(kPolicy,
            "torchtitan checkpoints the last of every " + std::to_string(policy.period)
                + " blocks, which is every:" + std::to_string(policy.period) + "@" + std::to_string(policy.period - 1));
    return {
        "mode = \"selective\"", draft.line("selective_ac_option = \"" + std::to_string(policy.period) + "\"", kPolicy)};
}

TextLines operators(SettingsDraft& draft, const CheckpointPolicy& policy)
{
    if (policy.period != 2 || policy.calls)
        draft.lack(kPolicy, "torchtitan keeps the first of every two matrix products without bias, which is ops:mm/2");
    draft.lack("techniques.checkpointing.save_ops", "torchtitan's list of ops is fixed for each model");
    std::vector<config::Value> names;
    for (const std::string& name :
        config::checkpointOpOptions(draft.technique("checkpointing").options).recomputedModules)
        names.emplace_back(name);
    return {"mode = \"selective\"", draft.line("selective_ac_option = \"op\"", kPolicy),
        draft.line("per_op_sac_force_recompute_mm_shapes_by_fqns = " + config::toToml(config::Value(names)),
            "techniques.checkpointing.force_recompute")};
}

TextLines policyLines(SettingsDraft& draft, const CheckpointPolicy& policy)
{
    switch (policy.kind) {
    case CheckpointPolicy::Kind::None:
        return {"mode = \"none\""};
    case CheckpointPolicy::Kind::Every:
        return everyNth(draft, policy);
    case CheckpointPolicy::Kind::Ops:
        return operators(draft, policy);
    case CheckpointPolicy::Kind::All:
        return {draft.line("mode = \"full\"", kPolicy)};
    default:
        draft.lack(kPolicy, "torchtitan cannot name blocks; this checkpoints all of them");
        return {draft.line("mode = \"full\"", kPolicy)};
    }
}

TextLines checkpointTable(SettingsDraft& draft)
{
    const CheckpointPolicy policy = config::parseCheckpointing(draft.technique("checkpointing").notation, kPolicy);
    TextLines lines{"[activation_checkpoint]"};
    append(lines, policyLines(draft, policy));
    if (policy.offload)
        draft.lack(kPolicy, "inputs of blocks stay on the device");
    const bool stops = config::checkpointOpOptions(draft.technique("checkpointing").options).stopsEarly;
    lines.push_back(
        draft.line(std::string("early_stop = ") + (stops ? "true" : "false"), "techniques.checkpointing.early_stop"));
    lines.emplace_back("");
    return lines;
}

TextLines otherTables(SettingsDraft& draft)
{
    TextLines lines;
    if (draft.technique("loss_readback").notation == "per_update")
        append(lines, {"[metrics]", draft.line("log_freq = 1", "techniques.loss_readback"), ""});
    if (draft.asks("workload.seed"))
        append(lines, {"[debug]", draft.line("seed = " + std::to_string(draft.workload().seed), "workload.seed"), ""});
    append(lines, {"[compile]", "enable = false"});
    return lines;
}

void lackOfTorchtitan(SettingsDraft& draft)
{
    if (draft.workload().step != config::StepKind::Train)
        draft.lack("workload.step", "torchtitan runs its optimizer after the backward pass");
    draft.lack("device.allocator", "set PYTORCH_ALLOC_CONF=" + draft.trial().allocator + " in its environment");
    draft.lackAll("techniques.trainable", "torchtitan 0.2 trains all parameters");
    if (!draft.isTaken("techniques.loss_readback"))
        draft.lack("techniques.loss_readback", "torchtitan reads the loss when it logs, not in each micro-step");
    draft.lackAll("techniques.offload", "enable_cpu_offload of torchtitan is FSDP's, of the optimizer state too");
    for (const char* shape : {"frames", "height", "width", "text_tokens"})
        draft.lack(std::string("workload.") + shape, "comes from the data: img_size of the flux job, or its data set");
    lackWhatIsNotOfTheTrainer(draft);
}

} // namespace

TextLines torchtitanSettings(SettingsDraft& draft)
{
    requireTraining(draft, "torchtitan");
    TextLines lines = modelTable(draft);
    append(lines, trainingTable(draft));
    append(lines, optimizerTable(draft));
    append(lines, checkpointTable(draft));
    append(lines, otherTables(draft));
    lackOfTorchtitan(draft);
    return lines;
}

} // namespace headroom::experiments
