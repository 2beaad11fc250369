// SPDX-License-Identifier: Apache-2.0
#include "experiments/handoff/PythonStep.h"

#include "core/config/techniques/OptimizerDescriptor.h"
#include "experiments/handoff/PythonTechniques.h"
#include "experiments/handoff/PythonText.h"

namespace headroom::experiments {

using config::GradientClearing;
using config::OptimizerNotation;
using config::StepKind;

namespace {

constexpr const char* kOptimizer = "techniques.optimizer";

bool hasUpdate(const SettingsDraft& draft)
{
    return draft.workload().step == StepKind::Train;
}

std::string formText(OptimizerNotation::Form form)
{
    if (form == OptimizerNotation::Form::Fused)
        return "foreach=False, fused=True";
    return form == OptimizerNotation::Form::Foreach ? "foreach=True, fused=False" : "foreach=False, fused=False";
}

std::string optimizerNumber(double value)
{
    return config::toLabel(config::Value(value));
}

bool scalesLoss(const SettingsDraft& draft)
{
    return draft.workload().autocast == "float16" && draft.workload().step == StepKind::Train;
}

TextLines within(const std::string& context, const TextLines& body)
{
    TextLines lines{context};
    append(lines, indented(body));
    return lines;
}

TextLines withAutocast(SettingsDraft& draft, StepStyle style, const TextLines& body)
{
    if (style == StepStyle::Accelerate || draft.workload().autocast == "off")
        return body;
    return within(
        draft.line("with torch.autocast(DEVICE, torch." + draft.workload().autocast + "):", "workload.autocast"), body);
}

// Around the backward pass too: a block that runs again has to take the same kernel.
TextLines withAttention(SettingsDraft& draft, const TextLines& body)
{
    const std::string kernels = attentionKernels(draft);
    if (kernels.empty())
        return body;
    return within(
        "with sdpa_kernel(" + kernels + ", set_priority=True):  # attention = " + draft.technique("attention").notation,
        body);
}

TextLines clearing(SettingsDraft& draft)
{
    const bool isKept = draft.workload().gradients == GradientClearing::Keep;
    if (isKept)
        return {draft.line("# Gradients are never cleared.", "workload.gradients")};
    const std::string how = draft.workload().gradients == GradientClearing::Zero ? "False" : "True";
    const std::string clear =
        hasUpdate(draft) ? "optimizer.zero_grad(set_to_none=" + how + ")" : "model.zero_grad(set_to_none=" + how + ")";
    return {draft.line(clear, "workload.gradients")};
}

TextLines backward(SettingsDraft& draft, StepStyle style)
{
    const std::string part = draft.workload().accumulate > 1 && style == StepStyle::Plain ? " / ACCUMULATE" : "";
    TextLines lines = withAutocast(draft, style, {"loss = loss_of(model, batch)" + part});
    if (style == StepStyle::Accelerate)
        lines.emplace_back("accelerator.backward(loss)");
    else
        lines.emplace_back(scalesLoss(draft) ? "scaler.scale(loss).backward()" : "loss.backward()");
    if (draft.technique("loss_readback").notation == "every_step")
        lines.push_back(draft.line("total += loss.item()", "techniques.loss_readback"));
    else if (draft.technique("loss_readback").notation == "per_update")
        lines.push_back(draft.line("total += loss.detach()", "techniques.loss_readback"));
    return lines;
}

TextLines clipping(SettingsDraft& draft, StepStyle style)
{
    if (draft.workload().clipGradNorm == 0)
        return {};
    const std::string norm = optimizerNumber(draft.workload().clipGradNorm);
    const std::string call =
        style == StepStyle::Accelerate ? "accelerator.clip_grad_norm_" : "torch.nn.utils.clip_grad_norm_";
    TextLines lines;
    if (style == StepStyle::Plain && scalesLoss(draft))
        lines.emplace_back("scaler.unscale_(optimizer)");
    lines.push_back(draft.line(call + "(trained(model), " + norm + ")", "workload.clip_grad_norm"));
    return lines;
}

TextLines afterBackward(SettingsDraft& draft, const TextLines& ema)
{
    TextLines lines = clipping(draft, StepStyle::Plain);
    if (scalesLoss(draft))
        append(lines, {"scaler.step(optimizer)", "scaler.update()"});
    else if (hasUpdate(draft))
        lines.emplace_back("optimizer.step()");
    append(lines, ema);
    return lines;
}

bool readsLoss(const SettingsDraft& draft)
{
    return draft.technique("loss_readback").notation != "never";
}

TextLines accelerateBody(SettingsDraft& draft, const TextLines& ema)
{
    TextLines body = backward(draft, StepStyle::Accelerate);
    if (const TextLines clip = clipping(draft, StepStyle::Accelerate); !clip.empty())
        append(body, within("if accelerator.sync_gradients:", clip));
    if (hasUpdate(draft))
        body.emplace_back("optimizer.step()");
    append(body, clearing(draft));
    if (!ema.empty())
        append(body, within("if accelerator.sync_gradients:", ema));
    TextLines loop{"for batch in micro_batches:", "    with accelerator.accumulate(model):"};
    append(loop, indented(indented(body)));
    draft.take("workload.accumulate");
    return loop;
}

TextLines plainBody(SettingsDraft& draft, const TextLines& ema)
{
    TextLines lines = clearing(draft);
    lines.push_back(draft.line("for batch in micro_batches:", "workload.accumulate"));
    append(lines, indented(backward(draft, StepStyle::Plain)));
    append(lines, afterBackward(draft, ema));
    return lines;
}

TextLines inference(SettingsDraft& draft)
{
    TextLines lines{"@torch.no_grad()", draft.line("def infer(model, *args, **kwargs):", "workload.step")};
    append(lines,
        indented(withAttention(draft, withAutocast(draft, StepStyle::Plain, {"return model(*args, **kwargs)"}))));
    return lines;
}

} // namespace

PythonOptimizer pythonOptimizer(SettingsDraft& draft)
{
    const config::TechniqueSetting& setting = draft.technique("optimizer");
    const OptimizerNotation optimizer = config::parseOptimizer(setting.notation, kOptimizer);
    const config::OptimizerOptions options = config::optimizerOptions(setting);
    const bool isSgd = optimizer.rule == OptimizerNotation::Rule::Sgd;
    draft.takeAll(kOptimizer);
    if (optimizer.form == OptimizerNotation::Form::Expressions)
        draft.lack(
            kOptimizer, "PyTorch's loop instead, which makes fewer tensors than an optimizer written from the formula");
    draft.lack(
        "techniques.optimizer.state_dtype", "PyTorch's optimizers keep state in the parameters' own number format");
    std::string arguments = "lr=" + optimizerNumber(options.learningRate);
    if (isSgd)
        arguments += ", momentum=" + optimizerNumber(options.momentum);
    else
        arguments += ", betas=(" + optimizerNumber(options.beta1) + ", " + optimizerNumber(options.beta2)
            + "), eps=" + optimizerNumber(options.eps);
    arguments += ", weight_decay=" + optimizerNumber(options.weightDecay) + ", " + formText(optimizer.form);
    return {isSgd ? "torch.optim.SGD" : "torch.optim.AdamW", arguments};
}

TextLines trainedFunction(const SettingsDraft& draft)
{
    if (!draft.trains())
        return {};
    return {"def trained(model):",
        "    return [parameter for parameter in model.parameters() if parameter.requires_grad]", "", ""};
}

TextLines optimizerFunction(SettingsDraft& draft)
{
    if (!hasUpdate(draft))
        return {};
    const PythonOptimizer optimizer = pythonOptimizer(draft);
    return {"def make_optimizer(model):", "    # optimizer = " + draft.technique("optimizer").notation,
        "    return " + optimizer.className + "(trained(model), " + optimizer.arguments + ")", "", ""};
}

TextLines stepFunction(SettingsDraft& draft, StepStyle style, const TextLines& ema)
{
    if (!draft.trains())
        return inference(draft);
    std::string arguments =
        hasUpdate(draft) ? "model, optimizer, micro_batches, loss_of" : "model, micro_batches, loss_of";
    if (style == StepStyle::Accelerate)
        arguments = "accelerator, " + arguments;
    if (style == StepStyle::Plain && scalesLoss(draft))
        arguments += ", scaler";
    if (!ema.empty())
        arguments += ", ema";
    TextLines lines{draft.line("def update(" + arguments + "):", "workload.step"),
        "    \"\"\"One step; loss_of(model, batch) is your own function.\"\"\""};
    if (readsLoss(draft))
        lines.emplace_back("    total = 0.0");
    const TextLines body = style == StepStyle::Accelerate ? accelerateBody(draft, ema) : plainBody(draft, ema);
    append(lines, indented(withAttention(draft, body)));
    if (readsLoss(draft))
        lines.emplace_back("    return float(total)");
    return lines;
}

TextLines stepImports(SettingsDraft& draft)
{
    return attentionKernels(draft).empty() ? TextLines{}
                                           : TextLines{"from torch.nn.attention import SDPBackend, sdpa_kernel"};
}

} // namespace headroom::experiments
