// SPDX-License-Identifier: Apache-2.0
#include "experiments/handoff/HandoffWriters.h"
#include "experiments/handoff/PythonCheckpointing.h"
#include "experiments/handoff/PythonEma.h"
#include "experiments/handoff/PythonModule.h"
#include "experiments/handoff/PythonStep.h"
#include "experiments/handoff/PythonTechniques.h"
#include "experiments/handoff/PythonText.h"

namespace headroom::experiments {

namespace {

void lackOfPlainModels(SettingsDraft& draft)
{
    draft.lackAll("techniques.casting",
        "PyTorch has no layerwise casting; diffusers.hooks.apply_layerwise_casting(model, storage_dtype, "
        "compute_dtype) takes "
        "any module");
    draft.lackAll("techniques.offload",
        "PyTorch has no group offload; diffusers.hooks.apply_group_offloading(model, onload_device) takes any module, "
        "for "
        "inference");
}

TextLines plainImports(SettingsDraft& draft, const PythonCheckpointing& checkpointing, const PythonEma& ema)
{
    TextLines lines{"import torch"};
    append(lines, checkpointing.imports());
    append(lines, stepImports(draft));
    append(lines, ema.imports);
    if (checkpointing.isOn())
        lines.emplace_back("from functools import partial");
    if (hasAdapters(draft))
        lines.emplace_back("from peft import LoraConfig, inject_adapter_in_model");
    return lines;
}

TextLines plainPrepare(SettingsDraft& draft, const PythonCheckpointing& checkpointing, const std::string& device)
{
    TextLines body{"model.to(" + device + "DTYPE)"};
    append(body, adapterLines(draft, "inject_adapter_in_model(adapters, model)"));
    append(body, blockWrapping(draft, checkpointing));
    body.push_back(device.empty() ? "return model" : "return model.to(DEVICE)");
    TextLines lines{prepareHead(checkpointing)};
    append(lines, indented(body));
    append(lines, {"", ""});
    return lines;
}

TextLines acceleratorFunction(SettingsDraft& draft)
{
    const std::string precision = draft.workload().autocast == "bfloat16" ? "bf16"
        : draft.workload().autocast == "float16"                          ? "fp16"
                                                                          : "no";
    TextLines lines{"def make_accelerator():"};
    if (precision != "no" && draft.workload().outputDtype == config::OutputDtype::Float32)
        lines.push_back(draft.line("    # Outputs of a prepared model are float32.", "workload.output_dtype"));
    lines.push_back(draft.line("    return Accelerator(mixed_precision=\"" + precision + "\",", "workload.autocast"));
    lines.push_back(draft.line(
        "                       gradient_accumulation_steps=" + std::to_string(draft.workload().accumulate) + ")",
        "workload.accumulate"));
    append(lines, {"", ""});
    return lines;
}

TextLines plainModule(SettingsDraft& draft, StepStyle style)
{
    PythonCheckpointing checkpointing(draft);
    const PythonEma ema = torchEma(draft);
    draft.take("model.name");
    lackOfPlainModels(draft);
    TextLines imports = plainImports(draft, checkpointing, ema);
    if (style == StepStyle::Accelerate)
        imports.emplace_back("from accelerate import Accelerator");
    TextLines lines = allocatorLines(draft);
    append(lines, importLines(imports));
    append(lines, moduleConstants(draft));
    append(lines, trainedFunction(draft));
    append(lines, checkpointing.functions());
    if (style == StepStyle::Accelerate)
        append(lines, acceleratorFunction(draft));
    append(lines, plainPrepare(draft, checkpointing, style == StepStyle::Accelerate ? "" : "DEVICE, "));
    append(lines, optimizerFunction(draft));
    append(lines, ema.function);
    append(lines, stepFunction(draft, style, ema.update));
    lackWhatIsNotOfTheTrainer(draft);
    draft.lack("model.weights", "load them into the model yourself");
    return lines;
}

} // namespace

TextLines pytorchSettings(SettingsDraft& draft)
{
    return plainModule(draft, StepStyle::Plain);
}

TextLines accelerateSettings(SettingsDraft& draft)
{
    requireTraining(draft, "Accelerate's loop");
    return plainModule(draft, StepStyle::Accelerate);
}

} // namespace headroom::experiments
