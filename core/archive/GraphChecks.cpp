// SPDX-License-Identifier: Apache-2.0
#include "core/archive/GraphChecks.h"

#include "core/base/Error.h"

#include <cmath>
#include <set>

namespace headroom::archive {
namespace {

constexpr std::size_t kMostDimensions = 64;
constexpr std::size_t kShownName = 80;

using MadeValues = std::set<std::string>;

std::string quoted(const std::string& name)
{
    return "\"" + name.substr(0, kShownName) + "\"";
}

class GraphCheck {
public:
    GraphCheck(const Graph& graph, std::string where)
        : m_graph(graph)
        , m_where(std::move(where))
    {
        for (const Argument& input : graph.inputs)
            make(input, m_where + ".inputs");
    }

    void run()
    {
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
            runNode(m_graph.nodes[i], m_where + ".nodes[" + std::to_string(i) + "]");
        for (const Argument& output : m_graph.outputs)
            read(output, m_where + ".outputs");
        for (std::size_t i = 0; i < m_graph.subgraphs.size(); ++i)
            GraphCheck(m_graph.subgraphs[i], m_where + ".subgraphs[" + std::to_string(i) + "]").run();
    }

    const MadeValues& made() const { return m_made; }

private:
    void runNode(const Node& node, const std::string& where)
    {
        for (const NamedArgument& input : node.inputs) {
            read(input.value, where + "." + input.name);
            if (input.value.kind == ArgumentKind::Graph && input.value.graph >= m_graph.subgraphs.size())
                throw FileError("has no such subgraph", where + "." + input.name);
        }
        for (const Argument& output : node.outputs)
            make(output, where + ".outputs");
    }

    void read(const Argument& argument, const std::string& where) const
    {
        for (const std::string& value : valuesOf(argument))
            if (!value.empty() && !m_made.contains(value))
                throw FileError("reads " + quoted(value) + ", which no node before it makes", where,
                    "nodes in the order in which they run");
    }

    void make(const Argument& argument, const std::string& where)
    {
        for (const std::string& value : valuesOf(argument))
            if (!value.empty() && !m_made.insert(value).second)
                throw FileError("makes " + quoted(value) + " a second time", where, "a name of its own for each value");
    }

    const Graph& m_graph;
    std::string m_where;
    MadeValues m_made;
};

void requireSizes(const TensorInfo& info, const std::string& where)
{
    if (info.sizes.size() > kMostDimensions)
        throw FileError("has " + std::to_string(info.sizes.size()) + " dimensions", where, "at most 64");
    std::int64_t elements = 1;
    for (const Size& size : info.sizes) {
        if (size.example > kMostElements || (size.example > 0 && elements > kMostElements / size.example))
            throw FileError("has more elements than any device holds", where, "at most 2^48");
        elements *= size.example;
    }
}

void requireSignature(const ExportedModel& model, const MadeValues& made, const std::string& where)
{
    const auto require = [&](const std::string& value, const std::string& what) {
        if (!made.contains(value))
            throw FileError(
                what + " is " + quoted(value) + ", which the graph does not have", where, "one of its values");
    };
    for (const StoredTensor& stored : model.tensors) {
        require(stored.value, "the tensor " + quoted(stored.name));
        requireSizes(stored.info, where + ": " + stored.name);
    }
    for (const UserInput& input : model.inputs)
        require(input.name, "an input");
    for (const std::string& output : model.outputs)
        require(output, "an output");
}

// Without a hint the example is not told.
void requireExample(const Size& size, const SymbolValues& example, const std::string& where)
{
    const auto value = size.evaluated(example);
    if (!value)
        return;
    const bool isNumber = std::abs(*value) <= static_cast<double>(kMostElements);
    if (!isNumber || (size.example != 0 && std::llround(*value) != size.example))
        throw FileError("has a size that its expression makes "
                + (isNumber ? std::to_string(std::llround(*value)) : std::string("no number of elements"))
                + " in the example",
            where, size.example != 0 ? std::to_string(size.example) : "at most 2^48");
}

void requireExamples(const Graph& graph, const SymbolValues& example, const std::string& where)
{
    for (const auto& [name, info] : graph.tensors)
        for (const Size& size : info.sizes) {
            const std::string place = where + ".tensor_values." + name.substr(0, kShownName);
            requireExample(size, example, place);
            if (size.evaluated(example).value_or(0) < 0)
                throw FileError("has a size that its expression makes negative in the example", place, "0 or more");
        }
    for (const auto& [name, size] : graph.numbers)
        requireExample(size, example, where + ".sym_int_values." + name.substr(0, kShownName));
    for (const Graph& subgraph : graph.subgraphs)
        requireExamples(subgraph, example, where);
}

} // namespace

void requireSoundSizes(const ExportedModel& model, const std::string& where)
{
    requireExamples(model.graph, model.symbols({}), where + ": graph_module.graph");
}

void requireSoundModel(const ExportedModel& model, const std::string& where)
{
    GraphCheck check(model.graph, where + ": graph_module.graph");
    check.run();
    for (const auto& [name, info] : model.graph.tensors)
        requireSizes(info, where + ": tensor_values." + name.substr(0, kShownName));
    requireSignature(model, check.made(), where + ": signature");
}

} // namespace headroom::archive
