// SPDX-License-Identifier: Apache-2.0
#include "core/config/techniques/AttentionDescriptor.h"

#include "core/base/Error.h"
#include "core/config/techniques/ModelWords.h"

namespace headroom::config {
namespace {

std::vector<std::string> attentionSettingProblems(const TechniqueSetting& setting, const ModelContext& context)
{
    if (setting.notation == "auto" || context.family.hasAttention)
        return {};
    return {"attention = " + setting.notation + ": " + calledModel(context.family) + " has no attention"};
}

std::vector<Candidate> attentionCandidates(const ModelContext&)
{
    return {};
}

// Kernels differ in what they keep and in their speed, whatever else is set.
TechniqueRange attentionRange(const ModelContext& context)
{
    TechniqueRange range{.settings = {{"auto"}}, .isIndependent = true};
    if (context.family.hasAttention)
        for (const AttentionKernel kernel : attentionKernels())
            range.settings.push_back({toText(kernel), {}, 1, toText(kernel)});
    return range;
}

} // namespace

std::string toText(AttentionKernel kernel)
{
    switch (kernel) {
    case AttentionKernel::Math:
        break;
    case AttentionKernel::Flash:
        return "flash";
    case AttentionKernel::Efficient:
        return "efficient";
    case AttentionKernel::Cudnn:
        return "cudnn";
    }
    return "math";
}

const std::vector<AttentionKernel>& attentionKernels()
{
    static const std::vector<AttentionKernel> kernels{
        AttentionKernel::Math, AttentionKernel::Flash, AttentionKernel::Efficient, AttentionKernel::Cudnn};
    return kernels;
}

std::optional<AttentionKernel> parseAttention(const std::string& notation, const std::string& where)
{
    if (notation == "auto")
        return std::nullopt;
    for (const AttentionKernel kernel : attentionKernels())
        if (toText(kernel) == notation)
            return kernel;
    throw UsageError("found \"" + notation + "\"", where, "auto, math, flash, efficient, cudnn");
}

TechniqueDescriptor attentionDescriptor()
{
    TechniqueDescriptor descriptor;
    descriptor.key = "attention";
    descriptor.title = "Attention kernel";
    descriptor.summary =
        "Asks for one kernel of scaled dot-product attention. What it cannot do (flash: a mask; flash, efficient and "
        "cudnn: devices without them) goes to the kernel that auto takes; the counters say what really ran.";
    descriptor.forms = {{"auto", "the first kernel of LibTorch's order that can"},
        {"math", "plain products and softmax, the scores in full: [batch, heads, queries, keys]"},
        {"flash", "FlashAttention-2, without the scores in memory; no mask on CUDA"},
        {"efficient", "the memory-efficient kernel, CUDA only; takes masks"}, {"cudnn", "cuDNN's kernel, CUDA only"}};
    descriptor.off = "auto";
    descriptor.referenceNotation = toText(AttentionKernel::Math); // the other kernels sum in other orders
    for (const AttentionKernel kernel : attentionKernels())
        descriptor.counters.push_back({toText(kernel), "calls in one step that the " + toText(kernel) + " kernel did"});
    // Compared with math, which auto falls back to when no other kernel can run.
    descriptor.relieves = {MemoryCategory::SavedActivations, MemoryCategory::Temporaries};
    descriptor.normalise = [](const std::string& notation, const std::string& where) {
        const auto kernel = parseAttention(notation, where);
        return kernel ? toText(*kernel) : std::string("auto");
    };
    descriptor.problems = attentionSettingProblems;
    descriptor.candidates = attentionCandidates;
    descriptor.range = attentionRange;
    return descriptor;
}

} // namespace headroom::config
