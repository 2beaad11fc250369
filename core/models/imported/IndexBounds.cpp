// SPDX-License-Identifier: Apache-2.0
#include "core/models/imported/IndexBounds.h"

#include <algorithm>
#include <set>

namespace headroom::models {
namespace {

using archive::Argument;
using archive::ArgumentKind;
using archive::NamedArgument;
using archive::Node;
using archive::Size;

// "index_add" of "torch.ops.aten.index_add_.default"
std::string pickingName(const Node& node)
{
    std::string name = archive::atenName(node);
    if (name.ends_with('_'))
        name.pop_back();
    return name;
}

// Whose results hold elements of their first argument and nothing else, or what a loss leaves out.
bool passesValuesOn(const std::string& op)
{
    static const std::set<std::string> kNames{"view", "reshape", "flatten", "unsqueeze", "squeeze", "expand",
        "expand_as", "select", "slice", "narrow", "to", "_to_copy", "contiguous", "clone", "alias", "detach",
        "transpose", "t", "permute", "unbind", "split", "split_with_sizes", "chunk", "repeat", "tile", "roll", "flip",
        "pad", "constant_pad_nd", "type_as", "view_as", "reshape_as"};
    return kNames.contains(op);
}

class IndexSearch {
public:
    IndexSearch(const archive::ExportedModel& model, const archive::SymbolValues& symbols)
        : m_model(model)
        , m_symbols(symbols)
    {
    }

    std::optional<std::int64_t> boundOf(const std::string& input)
    {
        m_values = {input};
        for (const Node& node : m_model.graph.nodes)
            visit(node, pickingName(node));
        return m_bound;
    }

private:
    void visit(const Node& node, const std::string& op)
    {
        for (const NamedArgument& argument : node.inputs)
            if (argument.value.kind == ArgumentKind::Tensor && m_values.contains(argument.value.name))
                pick(node, op, argument.name);
        if (op.starts_with("index") || op == "_unsafe_index")
            pickByList(node);
        if (passesValuesOn(op) && !node.inputs.empty() && m_values.contains(node.inputs.front().value.name))
            for (const Argument& output : node.outputs)
                for (const std::string& value : archive::valuesOf(output))
                    m_values.insert(value);
    }

    void pick(const Node& node, const std::string& op, const std::string& argument)
    {
        if (op.starts_with("embedding") && argument == "indices")
            limit(sizeOf(node, "weight", 0));
        else if (argument == "index" && argumentOf(node, "dim") != nullptr)
            limit(sizeOf(node, "self", argumentOf(node, "dim")->integer));
        else if (argument == "target" && (op.starts_with("cross_entropy") || op.starts_with("nll_loss")))
            limit(sizeOf(node, "self", rankOf(node, "self") > 1 ? 1 : 0));
        else if (const Argument* classes = argumentOf(node, "num_classes");
            op == "one_hot" && classes != nullptr && classes->integer > 0)
            limit(classes->integer);
    }

    // x[a, b]: each index stands for the axis at its place.
    void pickByList(const Node& node)
    {
        const Argument* indices = argumentOf(node, "indices");
        if (indices == nullptr)
            return;
        for (std::size_t place = 0; place < indices->names.size(); ++place)
            if (m_values.contains(indices->names[place]))
                limit(sizeOf(node, "self", static_cast<std::int64_t>(place)));
    }

    const std::vector<Size>& sizesOf(const Node& node, const std::string& name) const
    {
        static const std::vector<Size> kNone;
        const Argument* argument = argumentOf(node, name);
        if (argument == nullptr)
            return kNone;
        if (const archive::StoredTensor* stored = m_model.findStored(argument->name))
            return stored->info.sizes;
        const auto found = m_model.graph.tensors.find(argument->name);
        return found == m_model.graph.tensors.end() ? kNone : found->second.sizes;
    }

    std::int64_t rankOf(const Node& node, const std::string& name) const
    {
        return static_cast<std::int64_t>(sizesOf(node, name).size());
    }

    std::optional<std::int64_t> sizeOf(const Node& node, const std::string& name, std::int64_t dimension) const
    {
        const std::vector<Size>& sizes = sizesOf(node, name);
        const std::int64_t place = dimension < 0 ? dimension + rankOf(node, name) : dimension;
        if (place < 0 || place >= rankOf(node, name))
            return std::nullopt;
        return sizes[static_cast<std::size_t>(place)].at(m_symbols);
    }

    void limit(std::optional<std::int64_t> bound)
    {
        if (bound && *bound > 0)
            m_bound = std::min(*bound, m_bound.value_or(*bound));
    }

    const archive::ExportedModel& m_model;
    const archive::SymbolValues& m_symbols;
    std::set<std::string> m_values; ///< that hold the input's numbers
    std::optional<std::int64_t> m_bound;
};

} // namespace

std::optional<std::int64_t> indexBound(
    const archive::ExportedModel& model, const std::string& input, const archive::SymbolValues& symbols)
{
    return IndexSearch(model, symbols).boundOf(input);
}

} // namespace headroom::models
