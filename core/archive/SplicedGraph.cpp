// SPDX-License-Identifier: Apache-2.0
#include "core/archive/SplicedGraph.h"

#include "core/base/Error.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace headroom::archive {
namespace {

constexpr std::string_view kGradientWrap = "torch.ops.higher_order.wrap_with_set_grad_enabled";
constexpr std::string_view kAutocastWrap = "torch.ops.higher_order.wrap_with_autocast";

/// What stands in the whole graph for a value of one subgraph: another value's name, or a constant.
using Names = std::map<std::string, Argument>;

Argument named(ArgumentKind kind, const std::string& name)
{
    Argument argument;
    argument.kind = kind;
    argument.name = name;
    return argument;
}

class Splicer {
public:
    explicit Splicer(const std::string& where)
        : m_where(where)
    {
    }

    Graph whole(Graph graph)
    {
        Names own;
        m_result.inputs = graph.inputs;
        for (const Argument& input : graph.inputs)
            for (const std::string& name : valuesOf(input))
                own.emplace(name, named(input.kind, name));
        take(graph, own, {}, {});
        for (const Argument& output : graph.outputs)
            m_result.outputs.push_back(renamed(output, own));
        return std::move(m_result);
    }

private:
    /// `names`: what the graph's inputs stand for; what its nodes make is added.
    void take(Graph& graph, Names& names, const std::string& prefix, const std::vector<ModeRegion>& regions)
    {
        for (Node& node : graph.nodes) {
            for (NamedArgument& input : node.inputs)
                input.value = renamed(input.value, names);
            if (node.target == kGradientWrap || node.target == kAutocastWrap) {
                splice(node, graph, names, prefix, regions);
                continue;
            }
            for (Argument& output : node.outputs)
                define(output, names, prefix);
            node.name = prefix + node.name;
            node.regions = regions;
            keepSubgraphs(node, graph);
            m_result.nodes.push_back(std::move(node));
        }
        describe(graph, names);
    }

    void splice(Node& wrap, Graph& graph, Names& names, const std::string& prefix, std::vector<ModeRegion> regions)
    {
        const auto place = std::ranges::find(
            wrap.inputs, ArgumentKind::Graph, [](const NamedArgument& input) { return input.value.kind; });
        if (place == wrap.inputs.end() || place->value.graph >= graph.subgraphs.size())
            refuse(wrap, "has no graph");
        Graph& inner = graph.subgraphs[place->value.graph];
        regions.push_back(regionOf(wrap));
        const auto given = static_cast<std::size_t>(wrap.inputs.end() - place) - 1;
        if (given != inner.inputs.size())
            refuse(wrap,
                "passes " + std::to_string(given) + " values to a graph that takes "
                    + std::to_string(inner.inputs.size()));
        Names innerNames;
        for (std::size_t i = 0; i < given; ++i)
            innerNames.insert_or_assign(inner.inputs[i].name, place[static_cast<std::ptrdiff_t>(i) + 1].value);
        const std::vector<std::string> results = nameResults(wrap, inner, innerNames, names, prefix);
        const std::string innerPrefix = prefix + (place->value.name.empty() ? wrap.name : place->value.name) + ".";
        take(inner, innerNames, innerPrefix, regions);
        for (std::size_t i = 0; i < results.size(); ++i)
            names.insert_or_assign(results[i], renamed(inner.outputs[i], innerNames));
    }

    // What the subgraph gives bears the name that the outer graph has for it, unless it is passed through.
    std::vector<std::string> nameResults(
        const Node& wrap, const Graph& inner, Names& innerNames, const Names& names, const std::string& prefix) const
    {
        std::vector<std::string> results;
        for (const Argument& output : wrap.outputs)
            for (const std::string& name : valuesOf(output))
                results.push_back(name);
        if (results.size() > inner.outputs.size())
            refuse(wrap,
                "takes " + std::to_string(results.size()) + " values from a graph that gives "
                    + std::to_string(inner.outputs.size()));
        for (std::size_t i = 0; i < results.size(); ++i) {
            const auto outer = names.find(results[i]); // where this level's own result it is
            innerNames.emplace(inner.outputs[i].name,
                outer == names.end() ? named(inner.outputs[i].kind, prefix + results[i]) : outer->second);
        }
        return results;
    }

    ModeRegion regionOf(const Node& wrap)
    {
        ModeRegion region;
        region.id = ++m_regions;
        if (wrap.target == kGradientWrap) {
            region.isOn = argument(wrap, 0, ArgumentKind::Bool).integer != 0;
            return region;
        }
        region.kind = ModeRegion::Kind::Autocast;
        if (wrap.inputs.size() > 1 && wrap.inputs[1].value.kind == ArgumentKind::ScalarType)
            region.scalarType = static_cast<int>(wrap.inputs[1].value.integer);
        region.isOn = argument(wrap, 2, ArgumentKind::Bool).integer != 0;
        return region;
    }

    const Argument& argument(const Node& wrap, std::size_t place, ArgumentKind kind) const
    {
        if (place >= wrap.inputs.size() || wrap.inputs[place].value.kind != kind)
            refuse(wrap, "does not say whether it is on");
        return wrap.inputs[place].value;
    }

    // A result that was named from outside keeps that name.
    static void define(Argument& output, Names& names, const std::string& prefix)
    {
        const auto outer = [&](const std::string& name, ArgumentKind kind) {
            return names.emplace(name, named(kind, prefix + name)).first->second.name;
        };
        const bool isList = !output.names.empty();
        for (std::string& name : output.names)
            if (!name.empty())
                name = outer(name, ArgumentKind::Tensor);
        if (!isList && !valuesOf(output).empty())
            output.name = outer(output.name, output.kind);
    }

    static Argument renamed(Argument argument, const Names& names)
    {
        const auto found = names.find(argument.name);
        const bool isValue = !valuesOf(argument).empty();
        if (argument.names.empty())
            return isValue && found != names.end() ? found->second : std::move(argument);
        for (std::size_t i = 0; i < argument.names.size() && argument.kind != ArgumentKind::Texts; ++i) {
            const auto element = names.find(argument.names[i]);
            if (element == names.end())
                continue;
            const Argument& stands = element->second;
            argument.names[i] = valuesOf(stands).empty() ? std::string() : stands.name;
            if (i < argument.integers.size())
                argument.integers[i] = stands.integer;
        }
        return argument;
    }

    void keepSubgraphs(Node& node, Graph& graph)
    {
        for (NamedArgument& input : node.inputs)
            if (input.value.kind == ArgumentKind::Graph && input.value.graph < graph.subgraphs.size()) {
                m_result.subgraphs.push_back(std::move(graph.subgraphs[input.value.graph]));
                input.value.graph = m_result.subgraphs.size() - 1;
            }
    }

    void describe(Graph& graph, const Names& names)
    {
        for (auto& [name, info] : graph.tensors)
            if (const auto found = names.find(name); found != names.end() && !found->second.name.empty())
                m_result.tensors.emplace(found->second.name, std::move(info));
        for (auto& [name, size] : graph.numbers)
            if (const auto found = names.find(name); found != names.end() && !found->second.name.empty())
                m_result.numbers.emplace(found->second.name, std::move(size));
    }

    [[noreturn]] void refuse(const Node& wrap, const std::string& what) const
    {
        throw FileError(wrap.target + " " + wrap.name + " " + what, m_where, "what torch.export.save wrote");
    }

    const std::string& m_where;
    Graph m_result;
    std::size_t m_regions = 0;
};

} // namespace

Graph spliced(Graph graph, const std::string& where)
{
    return Splicer(where).whole(std::move(graph));
}

} // namespace headroom::archive
