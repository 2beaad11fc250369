// SPDX-License-Identifier: Apache-2.0
#include "experiments/handoff/PythonTechniques.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/config/techniques/AttentionDescriptor.h"
#include "core/config/techniques/TrainableDescriptor.h"
#include "experiments/handoff/PythonText.h"

#include <algorithm>
#include <cctype>

namespace headroom::experiments {

using config::AttentionKernel;
using config::TrainableNotation;

namespace {

constexpr const char* kTrainable = "techniques.trainable";

std::string kernelName(AttentionKernel kernel)
{
    switch (kernel) {
    case AttentionKernel::Math:
        return "MATH";
    case AttentionKernel::Flash:
        return "FLASH_ATTENTION";
    case AttentionKernel::Efficient:
        return "EFFICIENT_ATTENTION";
    case AttentionKernel::Cudnn:
        break;
    }
    return "CUDNN_ATTENTION";
}

// "INPUT_IDS_1" for "input_ids.1".
std::string constantName(std::string name)
{
    for (char& letter : name)
        letter = std::isalnum(static_cast<unsigned char>(letter)) != 0
            ? static_cast<char>(std::toupper(static_cast<unsigned char>(letter)))
            : '_';
    return name;
}

} // namespace

bool hasAdapters(const SettingsDraft& draft)
{
    const TrainableNotation trainable =
        config::parseTrainable(draft.technique(config::kTrainableKey).notation, kTrainable);
    return trainable.kind == TrainableNotation::Kind::Lora;
}

TextLines adapterLines(SettingsDraft& draft, const std::string& attach)
{
    const config::TechniqueSetting& setting = draft.technique(config::kTrainableKey);
    if (!hasAdapters(draft)) {
        if (setting.notation == "none")
            return {draft.line("model.requires_grad_(False)", kTrainable)};
        return {};
    }
    const std::string rank = std::to_string(config::parseTrainable(setting.notation, kTrainable).rank);
    const config::ModelFamily& family = *config::findModel(draft.configuration().model, "model.name").family;
    const config::Value& alpha = setting.options.at("alpha");
    const config::Dtype dtype = config::trainedDtype(setting, draft.workload());
    draft.takeAll(kTrainable);
    return {"model.requires_grad_(False)",
        draft.line("adapters = LoraConfig(r=" + rank
                + ", lora_alpha=" + (alpha.isNull() ? rank : config::toLabel(alpha))
                + ", lora_dropout=" + config::toLabel(setting.options.at("dropout")) + ",",
            kTrainable),
        "                      target_modules=" + pythonList(config::adapterTargets(setting, family)) + ")", attach,
        "for parameter in trained(model):", "    parameter.data = parameter.data.to(" + torchDtype(dtype) + ")"};
}

std::string attentionKernels(SettingsDraft& draft)
{
    const auto asked = config::parseAttention(draft.technique("attention").notation, "attention");
    if (!asked)
        return "";
    draft.take("techniques.attention");
    std::string text = "SDPBackend." + kernelName(*asked);
    for (AttentionKernel kernel :
        {AttentionKernel::Cudnn, AttentionKernel::Flash, AttentionKernel::Efficient, AttentionKernel::Math})
        if (kernel != *asked)
            text += ", SDPBackend." + kernelName(kernel);
    return "[" + text + "]";
}

void lackWhatIsNotOfTheTrainer(SettingsDraft& draft)
{
    static const std::vector<std::pair<const char*, const char*>> reasons{
        {"device.memory_limit_bytes", "a limit of the trial; the card has its own"},
        {"protocol.resident_model", "load it yourself, to the same device"},
        {"workload.output_dtype", "raise the output where the loss is computed: output.float()"},
        {"workload.output", "the output lives as long as the function for the loss keeps it"},
        {"workload.loss", "the loss is that of your own function"},
        {"workload.chunks", "compute the last product and the loss piece by piece in your own function"},
        {"workload.fused", "call a fused linear cross entropy in your own function"},
        {"techniques.split_ffn", "nothing in the library splits the feed-forwards of this model"},
        {"techniques.split_ffn.accumulate", "as split_ffn"},
    };
    for (const auto& [path, why] : reasons)
        if (!draft.isTaken(path))
            draft.lack(path, why);
    for (const AskedSetting& asked : askedSettings(draft.trial()))
        if (asked.path.starts_with("model.") && asked.path != "model.name" && asked.path != "model.weights")
            draft.lack(asked.path, "a field of the model's own configuration: its config.json has to say so");
}

TextLines allocatorLines(SettingsDraft& draft)
{
    if (!draft.asks("device.allocator"))
        return {};
    const std::string value = pythonText(draft.trial().allocator);
    return {"import os", "",
        draft.line("os.environ.setdefault(\"PYTORCH_ALLOC_CONF\", " + value + ")", "device.allocator"), ""};
}

TextLines shapeConstants(SettingsDraft& draft)
{
    TextLines lines;
    for (const auto& [name, value] : draft.workload().shapes)
        if (draft.asks("workload." + name) && name != "chunks" && name != "fused") {
            draft.take("workload." + name); // whose name the constant says
            lines.push_back(constantName(name) + " = " + pythonText(value));
        }
    return lines;
}

} // namespace headroom::experiments
