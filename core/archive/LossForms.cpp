// SPDX-License-Identifier: Apache-2.0
#include "core/archive/LossForms.h"

#include <algorithm>
#include <array>

namespace headroom::archive {
namespace {

const TensorInfo* floatingInfo(const ExportedModel& model, const std::string& output)
{
    const auto found = model.graph.tensors.find(output);
    return found != model.graph.tensors.end() && isFloatingScalarType(found->second.scalarType) ? &found->second
                                                                                                : nullptr;
}

bool isScalar(const ExportedModel& model, const std::string& output)
{
    const TensorInfo* info = floatingInfo(model, output);
    return info != nullptr && info->sizes.empty();
}

bool isCalledLoss(const ExportedModel& model, const std::string& output)
{
    const auto name = model.outputNames.find(output);
    return name != model.outputNames.end() && name->second == "loss";
}

// Free sizes are the same if they are one symbol, whatever the example's values.
bool isSameSize(const Size& a, const Size& b)
{
    const std::string symbols[]{a.expression ? a.expression->symbol() : "", b.expression ? b.expression->symbol() : ""};
    return symbols[0].empty() || symbols[1].empty() ? a.example == b.example : symbols[0] == symbols[1];
}

bool holdsTokensOf(const UserInput& input, const TensorInfo& logits)
{
    if (!input.tensor || input.tensor->sizes.size() != 2 || input.name.find("mask") != std::string::npos)
        return false;
    const std::string type = scalarTypeName(input.tensor->scalarType);
    return (type.starts_with("int") || type.starts_with("uint")) && isSameSize(input.tensor->sizes[0], logits.sizes[0])
        && isSameSize(input.tensor->sizes[1], logits.sizes[1]);
}

bool hasEmbeddingOf(const Graph& graph, const Size& words)
{
    return std::ranges::any_of(graph.nodes, [&](const Node& node) {
        if (atenName(node) != "embedding")
            return false;
        const Argument* weight = argumentOf(node, "weight");
        const auto found = weight == nullptr ? graph.tensors.end() : graph.tensors.find(weight->name);
        return found != graph.tensors.end() && !found->second.sizes.empty()
            && isSameSize(found->second.sizes.front(), words);
    });
}

} // namespace

std::string floatingOutput(const ExportedModel& model)
{
    const auto found =
        std::ranges::find_if(model.outputs, [&](const auto& output) { return floatingInfo(model, output) != nullptr; });
    return found == model.outputs.end() ? std::string() : *found;
}

std::string ownLoss(const ExportedModel& model)
{
    std::string first;
    for (const std::string& output : model.outputs) {
        if (!isScalar(model, output))
            continue;
        if (isCalledLoss(model, output))
            return output;
        const bool isAuxiliary = model.outputNames.contains(output) && output != floatingOutput(model);
        if (first.empty() && !isAuxiliary)
            first = output;
    }
    return first;
}

std::vector<std::string> tokenInputs(const ExportedModel& model)
{
    const TensorInfo* logits = floatingInfo(model, floatingOutput(model));
    if (logits == nullptr || logits->sizes.size() != 3)
        return {};
    std::vector<std::string> inputs;
    for (const UserInput& input : model.inputs)
        if (holdsTokensOf(input, *logits))
            inputs.push_back(input.name);
    for (const char* usual : {"decoder_input_ids", "input_ids"}) // transformers' names
        if (std::ranges::count(inputs, usual) > 0)
            return {usual};
    return inputs;
}

bool returnsLogits(const ExportedModel& model)
{
    if (tokenInputs(model).size() != 1)
        return false;
    const std::string output = floatingOutput(model);
    const auto name = model.outputNames.find(output);
    if (name != model.outputNames.end())
        return name->second == "logits";
    return hasEmbeddingOf(model.graph, model.graph.tensors.at(output).sizes.back());
}

} // namespace headroom::archive
