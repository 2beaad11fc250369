// SPDX-License-Identifier: Apache-2.0
#include "core/archive/MaskedFills.h"

#include <algorithm>
#include <set>

namespace headroom::archive {
namespace {

constexpr std::string_view kPut = "torch.ops.aten.index_put.default";
constexpr std::string_view kPutInPlace = "torch.ops.aten.index_put_.default";
constexpr std::string_view kNumber = "torch.ops.aten.scalar_tensor.default";
constexpr std::string_view kConstant = "torch.ops.aten.lift_fresh_copy.default"; // on the CPU

const TensorInfo* tensorOf(const Graph& graph, const std::string& value)
{
    const auto found = graph.tensors.find(value);
    return found == graph.tensors.end() ? nullptr : &found->second;
}

// The only index, if it says yes or no for each element of what it indexes.
const std::string* maskOf(const Graph& graph, const Node& node)
{
    const Argument* target = argumentOf(node, "self");
    const Argument* indices = argumentOf(node, "indices");
    if (target == nullptr || indices == nullptr || indices->names.size() != 1)
        return nullptr;
    const TensorInfo* filled = tensorOf(graph, target->name);
    const TensorInfo* mask = tensorOf(graph, indices->names.front());
    const bool isMask = filled != nullptr && mask != nullptr && scalarTypeName(mask->scalarType) == "bool"
        && mask->sizes.size() == filled->sizes.size();
    return isMask ? &indices->names.front() : nullptr;
}

bool makesNumber(const Graph& graph, const Node& node)
{
    const TensorInfo* made = tensorOf(graph, onlyResult(node));
    return (node.target == kNumber || node.target == kConstant) && made != nullptr && made->sizes.empty();
}

bool isAdded(const Node& node)
{
    const Argument* accumulate = argumentOf(node, "accumulate");
    return accumulate != nullptr && accumulate->integer != 0;
}

Argument tensorArgument(const std::string& name)
{
    Argument argument;
    argument.kind = ArgumentKind::Tensor;
    argument.name = name;
    return argument;
}

void makeMaskedFill(Node& node, const std::string& mask, const std::string& number)
{
    const NamedArgument filled = node.inputs.front();
    node.target = node.target == kPut ? "torch.ops.aten.masked_fill.Tensor" : "torch.ops.aten.masked_fill_.Tensor";
    node.inputs = {filled, {"mask", tensorArgument(mask)}, {"value", tensorArgument(number)}};
}

} // namespace

void makeMaskedFills(Graph& graph)
{
    std::set<std::string> numbers;
    for (Node& node : graph.nodes) {
        if (makesNumber(graph, node))
            numbers.insert(onlyResult(node));
        const Argument* value = (node.target == kPut || node.target == kPutInPlace) && !isAdded(node)
            ? argumentOf(node, "values")
            : nullptr;
        const std::string* mask = value != nullptr && numbers.contains(value->name) ? maskOf(graph, node) : nullptr;
        if (mask != nullptr && node.inputs.front().name == "self")
            makeMaskedFill(node, std::string(*mask), std::string(value->name));
    }
}

} // namespace headroom::archive
