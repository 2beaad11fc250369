// SPDX-License-Identifier: Apache-2.0
#include "experiments/handoff/PythonModule.h"

#include "core/base/Error.h"
#include "core/config/catalogue/Catalogue.h"
#include "experiments/handoff/HandoffWriters.h"
#include "experiments/handoff/PythonTechniques.h"
#include "experiments/handoff/PythonText.h"

#include <algorithm>

namespace headroom::experiments {

UpstreamClassName upstreamClassOf(const config::Configuration& configuration)
{
    const auto& classes = config::findModel(configuration.model, "model.name").family->upstream.classes;
    if (classes.empty())
        return {};
    // diffusers names its transformers after what they model: Transformer2DModel, Transformer3DModel.
    const std::string& name = classes.front().name;
    return {name.ends_with("DModel") ? "diffusers" : "transformers", name};
}

void requireTraining(const SettingsDraft& draft, const std::string& trainer)
{
    if (!draft.trains())
        throw UsageError("found step = inference, and " + trainer + " trains", "--for",
            "--step train, or for inference diffusers, pytorch");
}

TextLines importLines(TextLines lines)
{
    std::ranges::sort(lines, {}, [](const std::string& line) { return std::pair(line.starts_with("from "), line); });
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
    append(lines, {""});
    return lines;
}

TextLines moduleConstants(SettingsDraft& draft)
{
    TextLines lines{"DEVICE = \"cuda\""};
    lines.push_back("DTYPE = " + torchDtype(draft.workload().dtype));
    draft.take("workload.dtype");
    append(lines, shapeConstants(draft));
    if (draft.asks("workload.accumulate"))
        lines.push_back("ACCUMULATE = " + std::to_string(draft.workload().accumulate));
    if (draft.asks("workload.seed"))
        lines.push_back(
            draft.line("torch.manual_seed(" + std::to_string(draft.workload().seed) + ")", "workload.seed"));
    const std::string& origin = draft.technique("input_transfer").notation;
    if (origin != "resident")
        lines.push_back(draft.line(
            std::string("PIN_MEMORY = ") + (origin == "pinned" ? "True" : "False") + "  # of your DataLoader;",
            "techniques.input_transfer"));
    append(lines, {"", ""});
    return lines;
}

TextLines loadFunction(SettingsDraft& draft, const std::string& arguments)
{
    const UpstreamClassName upstream = upstreamClassOf(draft.configuration());
    draft.take("model.name");
    if (upstream.name.empty())
        return {};
    std::string source = "source";
    if (draft.asks("model.weights"))
        source = "source=" + pythonText(config::weightsOf(draft.configuration().modelFields));
    draft.take("model.weights");
    return {"def load(" + source + "):", "    \"\"\"The weights: a folder, or a name on the hub.\"\"\"",
        draft.line("    return " + upstream.name + ".from_pretrained(source, " + arguments + ")", "model.name"), "",
        ""};
}

TextLines blockWrapping(SettingsDraft& draft, const PythonCheckpointing& checkpointing)
{
    if (!checkpointing.isOn())
        return {};
    const std::string chosen = checkpointing.chosenBlocks();
    const std::string blocks = checkpointing.blocksOfModel().empty() ? "blocks" : checkpointing.blocksOfModel();
    const std::string wrap = "block.forward = partial(checkpointed, block.forward)";
    if (chosen == "None")
        return {draft.line("for block in " + blocks + ":", "techniques.checkpointing"), "    " + wrap};
    return {draft.line("chosen = " + chosen, "techniques.checkpointing"),
        "for number, block in enumerate(" + blocks + "):", "    if number in chosen:", "        " + wrap};
}

std::string prepareHead(const PythonCheckpointing& checkpointing)
{
    const bool needsBlocks = checkpointing.isOn() && checkpointing.blocksOfModel().empty();
    return needsBlocks ? "def prepare(model, blocks):" : "def prepare(model):";
}

} // namespace headroom::experiments
