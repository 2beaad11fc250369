// SPDX-License-Identifier: Apache-2.0
#include "core/models/imported/BlockForms.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <unordered_map>

namespace headroom::models {
namespace {

std::string shapeText(const at::Tensor& tensor)
{
    std::string text = std::to_string(static_cast<int>(tensor.scalar_type()));
    for (const std::int64_t size : tensor.sizes())
        text += fmt::format(",{}", size);
    return text;
}

std::string textOf(const archive::Argument& argument)
{
    std::string text = fmt::format("{}:{}:{}", static_cast<int>(argument.kind), argument.integer, argument.real);
    for (const std::int64_t integer : argument.integers)
        text += fmt::format(",{}", integer);
    for (const double real : argument.reals)
        text += fmt::format(",{}", real);
    const bool isText = argument.kind == archive::ArgumentKind::Text || argument.kind == archive::ArgumentKind::Texts;
    return isText ? fmt::format("{}{}{}", text, argument.name, fmt::join(argument.names, ",")) : text;
}

class BlockForm {
public:
    BlockForm(const ExecutableGraph& graph, const ExecutableGraph::Block& block)
        : m_graph(graph)
        , m_block(block)
        , m_modules(block.module->modules(/*include_self=*/false))
    {
        nameAll('r', block.reads);
        for (const ValueId number : block.readNumbers) // the same in each block, or the blocks are not alike
            m_names[number] = fmt::format("n{}", number);
    }

    std::string text()
    {
        for (std::size_t index = m_block.first; index <= m_block.last; ++index)
            add(index);
        // Names settle while nodes are read.
        std::string border = "makes";
        for (const ValueId value : m_block.makes)
            border += nameOf(value);
        border += "lets go";
        for (const ValueId value : m_block.released)
            border += nameOf(value);
        return m_text + border;
    }

private:
    void nameAll(char kind, const std::vector<ValueId>& values)
    {
        for (std::size_t i = 0; i < values.size(); ++i)
            m_names[values[i]] = fmt::format("{}{}", kind, i);
    }

    std::string nameOf(ValueId value)
    {
        if (value == kNoValue)
            return "-";
        const auto [place, isNew] = m_names.emplace(value, std::string());
        if (isNew) {
            const c10::IValue& own = m_graph.own[static_cast<std::size_t>(value)];
            place->second = fmt::format("{}{}", own.isTensor() ? "w" + shapeText(own.toTensor()) + "_" : "m", m_next++);
        }
        return place->second;
    }

    void add(std::size_t index)
    {
        const ProgramNode& node = m_graph.program->nodes[index];
        m_text += node.source->target;
        for (const archive::NamedArgument& argument : node.source->inputs)
            m_text += "(" + argument.name + "=" + textOf(argument.value) + ")";
        forEachRead(node, [&](ValueId value) { m_text += " " + nameOf(value); });
        m_text += ">";
        forEachMade(node, [&](ValueId value) { m_text += " " + nameOf(value); });
        addReleases(node);
        addPlace(index);
        addSite(m_graph.sites[index]);
        m_text += "\n";
    }

    // What a block neither reads nor makes is not there to be let go.
    void addReleases(const ProgramNode& node)
    {
        m_text += "!";
        for (const ValueId value : node.released)
            if (m_names.contains(value))
                m_text += " " + m_names.at(value);
    }

    // Which calls and modes go on from the node before, and which begin.
    void addPlace(std::size_t index)
    {
        const archive::Node& node = *m_graph.program->nodes[index].source;
        const archive::Node* before = index > m_block.first ? m_graph.program->nodes[index - 1].source : nullptr;
        for (std::size_t depth = m_block.depth; depth < node.modules.size(); ++depth) {
            const bool goesOn = before != nullptr && depth < before->modules.size()
                && before->modules[depth].key == node.modules[depth].key;
            m_text += (goesOn ? "|" : "/") + node.modules[depth].type;
        }
        for (const archive::ModeRegion& region : node.regions) {
            const bool goesOn = before != nullptr && std::ranges::count(before->regions, region) > 0;
            m_text += fmt::format(
                "{}{}{}{}", goesOn ? "|" : "/", static_cast<int>(region.kind), region.isOn ? 1 : 0, region.scalarType);
        }
    }

    void addSite(const ExecutableGraph::Site& site)
    {
        m_text += site.linear ? "L" : "";
        if (site.runs)
            m_text += nameOf(site.runs->input) + ">" + nameOf(site.runs->output);
        m_text += site.attention ? "A" : "";
        m_text += site.feedForward ? site.isFirstOfFeedForward ? "F" : "f" : "";
        // In the order of places, as a set of pointers has none.
        std::set<std::string> outside;
        for (const torch::nn::Module* module : site.outside)
            outside.insert(placeOf(module));
        m_text += fmt::format("o{}", fmt::join(outside, ","));
    }

    std::string placeOf(const torch::nn::Module* module) const
    {
        const auto place = std::ranges::find(m_modules, module, [](const auto& own) { return own.get(); });
        return place == m_modules.end() ? fmt::format("{}", static_cast<const void*>(module))
                                        : fmt::format("+{}", place - m_modules.begin());
    }

    const ExecutableGraph& m_graph;
    const ExecutableGraph::Block& m_block;
    const std::vector<std::shared_ptr<torch::nn::Module>> m_modules;
    std::unordered_map<ValueId, std::string> m_names; ///< within the block
    std::size_t m_next = 0;
    std::string m_text;
};

} // namespace

std::vector<std::string> blockForms(const ExecutableGraph& graph)
{
    std::vector<std::string> forms;
    std::unordered_map<std::string, std::size_t> known;
    for (std::size_t block = 0; block < graph.blocks.size(); ++block) {
        // Numbers that are handed on are known only of a block that has run.
        const bool handsOnNumbers = !graph.blocks[block].madeNumbers.empty();
        const std::string text = handsOnNumbers ? std::string() : BlockForm(graph, graph.blocks[block]).text();
        forms.push_back(fmt::format("{}", handsOnNumbers ? block : known.emplace(text, block).first->second));
    }
    return forms;
}

} // namespace headroom::models
