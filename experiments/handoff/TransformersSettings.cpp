// SPDX-License-Identifier: Apache-2.0
#include "experiments/handoff/HandoffWriters.h"
#include "experiments/handoff/PythonCheckpointing.h"
#include "experiments/handoff/PythonModule.h"
#include "experiments/handoff/PythonStep.h"
#include "experiments/handoff/PythonTechniques.h"
#include "experiments/handoff/PythonText.h"

namespace headroom::experiments {

using config::StepKind;

namespace {

std::string realText(double value)
{
    return config::toLabel(config::Value(value));
}

bool isOfTransformers(const SettingsDraft& draft)
{
    return upstreamClassOf(draft.configuration()).library == "transformers";
}

// Trainer's switch calls a method that only transformers' models have.
bool usesSwitch(const SettingsDraft& draft, const PythonCheckpointing& checkpointing)
{
    return checkpointing.isPlain() && isOfTransformers(draft);
}

TextLines batchArguments(SettingsDraft& draft)
{
    TextLines lines;
    if (draft.asks("workload.batch"))
        lines.push_back(draft.line("per_device_train_batch_size=BATCH,", "workload.batch"));
    lines.push_back(draft.line(
        "gradient_accumulation_steps=" + std::to_string(draft.workload().accumulate) + ",", "workload.accumulate"));
    lines.push_back(
        draft.line("max_grad_norm=" + realText(draft.workload().clipGradNorm) + ",", "workload.clip_grad_norm"));
    lines.push_back(draft.line(std::string("bf16=") + (draft.workload().autocast == "bfloat16" ? "True" : "False")
            + ", fp16=" + (draft.workload().autocast == "float16" ? "True" : "False") + ",",
        "workload.autocast"));
    lines.push_back(draft.line("seed=" + std::to_string(draft.workload().seed) + ",", "workload.seed"));
    return lines;
}

TextLines checkpointingArguments(SettingsDraft& draft, const PythonCheckpointing& checkpointing)
{
    if (!usesSwitch(draft, checkpointing))
        return {"gradient_checkpointing=False,"};
    draft.take("techniques.checkpointing.early_stop");
    return {draft.line("gradient_checkpointing=True,", "techniques.checkpointing"),
        "gradient_checkpointing_kwargs={\"use_reentrant\": False},"};
}

TextLines habitArguments(SettingsDraft& draft)
{
    TextLines lines;
    const std::string& readback = draft.technique("loss_readback").notation;
    if (readback == "per_update")
        lines.push_back(draft.line("logging_steps=1,", "techniques.loss_readback"));
    if (readback == "every_step")
        draft.lack(
            "techniques.loss_readback", "Trainer reads the loss when it logs: once per update with logging_steps=1");
    const std::string& origin = draft.technique("input_transfer").notation;
    if (origin != "resident")
        lines.push_back(draft.line(std::string("dataloader_pin_memory=") + (origin == "pinned" ? "True," : "False,"),
            "techniques.input_transfer"));
    if (draft.asks("workload.fused"))
        append(lines,
            {draft.line("use_liger_kernel=True,", "workload.fused"),
                "liger_kernel_config={\"fused_linear_cross_entropy\": True, \"cross_entropy\": False, \"rope\": False,",
                "                     \"swiglu\": False, \"rms_norm\": False},"});
    return lines;
}

TextLines trainingArguments(SettingsDraft& draft, const PythonCheckpointing& checkpointing)
{
    TextLines arguments = batchArguments(draft);
    append(arguments, checkpointingArguments(draft, checkpointing));
    append(arguments, habitArguments(draft));
    TextLines lines{draft.line("def make_arguments(output_dir):", "workload.step"), "    return TrainingArguments(",
        "        output_dir=output_dir,"};
    append(lines, indented(indented(arguments)));
    append(lines, {"    )", "", ""});
    return lines;
}

TextLines trainerFunction(SettingsDraft& draft)
{
    if (draft.workload().step != StepKind::Train)
        draft.lack("workload.step", "Trainer runs its optimizer after the backward pass");
    const PythonOptimizer optimizer = pythonOptimizer(draft);
    return {"# optimizer = " + draft.technique("optimizer").notation
            + "; of TrainingArguments' own adamw_torch PyTorch chooses the form",
        "OPTIMIZER = (" + optimizer.className + ", dict(" + optimizer.arguments + "))", "", "",
        "def make_trainer(prepared, output_dir, **data):",
        "    return Trainer(model=prepared, args=make_arguments(output_dir), optimizer_cls_and_kwargs=OPTIMIZER, "
        "**data)"};
}

TextLines transformersPrepare(SettingsDraft& draft, const PythonCheckpointing& checkpointing)
{
    TextLines body;
    if (isOfTransformers(draft))
        body.emplace_back("model.config.use_cache = False");
    else
        body.emplace_back("model.to(DTYPE)");
    if (!usesSwitch(draft, checkpointing))
        append(body, blockWrapping(draft, checkpointing));
    append(body,
        adapterLines(draft,
            isOfTransformers(draft) ? "model = get_peft_model(model, adapters)"
                                    : "inject_adapter_in_model(adapters, model)"));
    body.emplace_back("return model");
    TextLines lines{prepareHead(checkpointing)};
    append(lines, indented(body));
    append(lines, {"", ""});
    return lines;
}

TextLines transformersImports(SettingsDraft& draft, const PythonCheckpointing& checkpointing)
{
    const UpstreamClassName upstream = upstreamClassOf(draft.configuration());
    TextLines lines{"import torch"};
    lines.push_back(isOfTransformers(draft)
            ? "from transformers import " + upstream.name + ", Trainer, TrainingArguments"
            : "from transformers import Trainer, TrainingArguments");
    if (!isOfTransformers(draft) && !upstream.name.empty())
        lines.push_back("from diffusers import " + upstream.name);
    if (checkpointing.isOn() && !usesSwitch(draft, checkpointing)) {
        append(lines, checkpointing.imports());
        lines.emplace_back("from functools import partial");
    }
    if (hasAdapters(draft))
        lines.emplace_back(isOfTransformers(draft) ? "from peft import LoraConfig, get_peft_model"
                                                   : "from peft import LoraConfig, inject_adapter_in_model");
    return lines;
}

void lackOfTrainer(SettingsDraft& draft)
{
    draft.lackAll("techniques.casting",
        "Trainer has no layerwise casting; diffusers.hooks.apply_layerwise_casting(model, storage_dtype, "
        "compute_dtype) takes "
        "any module");
    draft.lackAll("techniques.offload", "Trainer offloads through DeepSpeed or FSDP only, and not group by group");
    draft.lackAll("techniques.ema", "Trainer has no EMA of the weights; a callback can call one in on_step_end");
    draft.lackAll("techniques.attention",
        "call trainer.train() within torch.nn.attention.sdpa_kernel(...); the model has to use sdpa");
    draft.lack("workload.gradients", "Trainer sets gradients to None after each update");
}

} // namespace

TextLines transformersSettings(SettingsDraft& draft)
{
    requireTraining(draft, "Trainer");
    PythonCheckpointing checkpointing(draft);
    lackOfTrainer(draft);
    TextLines lines = allocatorLines(draft);
    append(lines, importLines(transformersImports(draft, checkpointing)));
    append(lines, moduleConstants(draft));
    append(lines,
        loadFunction(draft, isOfTransformers(draft) ? "dtype=DTYPE" : "subfolder=\"transformer\", torch_dtype=DTYPE"));
    if (hasAdapters(draft))
        append(lines, trainedFunction(draft));
    if (!usesSwitch(draft, checkpointing))
        append(lines, checkpointing.functions());
    append(lines, transformersPrepare(draft, checkpointing));
    if (isOfTransformers(draft) && draft.asks("workload.loss") && draft.workload().loss == config::Loss::CrossEntropy)
        lines.push_back(draft.line("# The loss is the model's own, of the labels in a batch.", "workload.loss"));
    append(lines, trainingArguments(draft, checkpointing));
    append(lines, trainerFunction(draft));
    lackWhatIsNotOfTheTrainer(draft);
    return lines;
}

} // namespace headroom::experiments
