// SPDX-License-Identifier: Apache-2.0
#include "core/models/imported/MetaSupport.h"

#include "core/tensor/Torch.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace headroom::models {
namespace {

// "aten::add", "Tensor" of "torch.ops.aten.add.Tensor"
std::optional<c10::OperatorName> operatorNameOf(const std::string& target)
{
    const std::string prefix = "torch.ops.";
    const std::size_t name = target.find('.', prefix.size());
    const std::size_t overload = name == std::string::npos ? name : target.find('.', name + 1);
    if (!target.starts_with(prefix) || overload == std::string::npos)
        return std::nullopt;
    const std::string overloadName = target.substr(overload + 1);
    return c10::OperatorName(
        target.substr(prefix.size(), name - prefix.size()) + "::" + target.substr(name + 1, overload - name - 1),
        overloadName == "default" ? "" : overloadName);
}

bool lacksMeta(const std::string& target)
{
    using c10::DispatchKey;
    const auto name = operatorNameOf(target);
    const auto op = name ? c10::Dispatcher::singleton().findOp(*name) : std::nullopt;
    if (!op)
        return false;
    constexpr std::array kEnough{DispatchKey::Meta, DispatchKey::CompositeImplicitAutograd,
        DispatchKey::CompositeExplicitAutograd, DispatchKey::CompositeExplicitAutogradNonFunctional};
    return std::ranges::none_of(kEnough, [&](DispatchKey key) { return op->hasKernelForDispatchKey(key); });
}

void collectLacking(const archive::Graph& graph, std::map<std::string, std::string>& places)
{
    for (const archive::Node& node : graph.nodes)
        if (!places.contains(node.target) && lacksMeta(node.target))
            places.emplace(node.target, placeOf(node));
    for (const archive::Graph& subgraph : graph.subgraphs)
        collectLacking(subgraph, places);
}

} // namespace

std::vector<std::string> opsWithoutMeta(const archive::Graph& graph)
{
    std::map<std::string, std::string> places;
    collectLacking(graph, places);
    std::vector<std::string> ops;
    for (const auto& [target, place] : places)
        ops.push_back(toString(*operatorNameOf(target)) + " in " + place);
    return ops;
}

} // namespace headroom::models
