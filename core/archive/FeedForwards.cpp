// SPDX-License-Identifier: Apache-2.0
#include "core/archive/FeedForwards.h"

#include "core/base/Wording.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

namespace headroom::archive {
namespace {

constexpr std::string_view kAtenOps = "torch.ops.aten.";

// "gelu" of "torch.ops.aten.gelu.default"; empty for other operators.
std::string atenName(const Node& node)
{
    if (!node.target.starts_with(kAtenOps))
        return {};
    return node.target.substr(kAtenOps.size(), node.target.find('.', kAtenOps.size()) - kAtenOps.size());
}

std::string onlyResult(const Node& node)
{
    return node.outputs.size() == 1 && node.outputs.front().kind == ArgumentKind::Tensor ? node.outputs.front().name
                                                                                         : std::string();
}

// Each element of the result depends on the same element of the arguments alone; in place or not.
bool isElementwise(const Node& node)
{
    std::string name = atenName(node);
    if (name.size() > 1 && name.back() == '_')
        name.pop_back();
    static const std::set<std::string> kNames{"add", "sub", "rsub", "mul", "div", "neg", "abs", "exp", "log", "sqrt",
        "rsqrt", "square", "pow", "tanh", "sigmoid", "relu", "relu6", "gelu", "silu", "mish", "elu", "selu", "celu",
        "softplus", "softsign", "leaky_relu", "hardtanh", "hardswish", "hardsigmoid", "hardshrink", "softshrink",
        "threshold", "log_sigmoid", "erf", "sin", "cos", "clamp", "clamp_min", "clamp_max", "dropout", "to", "_to_copy",
        "clone", "contiguous", "alias", "type_as"};
    return kNames.contains(name) && !onlyResult(node).empty();
}

const NamedArgument* inputOf(const Node& node, std::string_view name)
{
    const auto found = std::ranges::find(node.inputs, name, &NamedArgument::name);
    return found == node.inputs.end() ? nullptr : &*found;
}

/// Which nodes make and read each value.
class Uses {
public:
    explicit Uses(const Graph& graph)
    {
        for (std::size_t index = 0; index < graph.nodes.size(); ++index) {
            for (const NamedArgument& input : graph.nodes[index].inputs)
                for (const std::string& value : valuesOf(input.value))
                    m_readers[value].insert(index);
            for (const Argument& output : graph.nodes[index].outputs)
                for (const std::string& value : valuesOf(output))
                    m_makers.emplace(value, index);
        }
        for (const Argument& output : graph.outputs)
            for (const std::string& value : valuesOf(output))
                m_readers[value].insert(graph.nodes.size());
    }

    std::optional<std::size_t> maker(const std::string& value) const
    {
        const auto found = m_makers.find(value);
        return found == m_makers.end() ? std::nullopt : std::optional(found->second);
    }
    const std::set<std::size_t>& readers(const std::string& value) const
    {
        static const std::set<std::size_t> kNone;
        const auto found = m_readers.find(value);
        return found == m_readers.end() ? kNone : found->second;
    }

private:
    std::map<std::string, std::size_t> m_makers;
    std::map<std::string, std::set<std::size_t>> m_readers;
};

/// Looks for the feed-forward that ends with one Linear, from its input backward.
class Search {
public:
    Search(const ExportedModel& model, const Uses& uses, const std::map<std::size_t, LinearNode>& linears)
        : m_graph(model.graph)
        , m_uses(uses)
        , m_linears(linears)
    {
    }

    std::optional<FeedForwardNodes> endingWith(const LinearNode& output)
    {
        m_found = {};
        m_between.clear();
        m_found.output = output;
        m_found.inner = output.columns;
        m_members = {output.node};
        const NamedArgument* input = inputOf(m_graph.nodes[output.node], "input");
        if (input == nullptr || !follow(input->value.name) || m_between.empty() || m_found.projections.empty())
            return std::nullopt;
        numberProjections();
        m_found.between.assign(m_between.begin(), m_between.end());
        if (!isClosed() || !hasWholeProjections())
            return std::nullopt;
        m_found.path = sharedPath();
        return std::move(m_found);
    }

private:
    bool follow(const std::string& value)
    {
        const auto maker = m_uses.maker(value);
        if (!maker || m_members.size() > kMost)
            return false;
        if (m_members.contains(*maker))
            return true;
        const Node& node = m_graph.nodes[*maker];
        if (m_linears.contains(*maker))
            return addProjection(*maker, 0, value);
        if (const auto half = halfOf(node))
            return *half;
        if (!isElementwise(node))
            return false;
        m_members.insert(*maker);
        m_between.insert(*maker);
        return std::ranges::all_of(node.inputs, [&](const NamedArgument& argument) {
            const auto values = valuesOf(argument.value);
            return std::ranges::all_of(values, [&](const std::string& read) { return follow(read); });
        });
    }

    // Halves of a projection's channels. Nothing: the node does not cut; false: it cuts otherwise.
    std::optional<bool> halfOf(const Node& node)
    {
        const std::string name = atenName(node);
        if ((name != "chunk" && name != "split") || node.outputs.size() != 1)
            return std::nullopt;
        const auto& halves = node.outputs.front().names;
        const NamedArgument* whole = inputOf(node, "self");
        const auto maker = whole == nullptr ? std::nullopt : m_uses.maker(whole->value.name);
        const NamedArgument* dimension = inputOf(node, "dim");
        if (halves.size() != 2 || !maker || !m_linears.contains(*maker) || dimension == nullptr)
            return false;
        const std::int64_t rows = m_linears.at(*maker).rows;
        const auto info = m_graph.tensors.find(whole->value.name);
        const std::int64_t last =
            info == m_graph.tensors.end() ? -1 : static_cast<std::int64_t>(info->second.sizes.size()) - 1;
        const std::int64_t at = dimension->value.integer;
        const NamedArgument* size = inputOf(node, "split_size");
        const bool isHalf = name == "chunk" || (size != nullptr && size->value.integer * 2 == rows);
        if ((at != -1 && at != last) || rows != 2 * m_found.inner || !isHalf)
            return false;
        const auto cut = static_cast<std::size_t>(&node - m_graph.nodes.data());
        m_members.insert(cut);
        if (std::ranges::find(m_found.cuts, cut) == m_found.cuts.end())
            m_found.cuts.push_back(cut);
        addProjection(*maker, 0, halves[0]);
        return addProjection(*maker, m_found.inner, halves[1]);
    }

    bool addProjection(std::size_t node, std::int64_t first, const std::string& value)
    {
        m_members.insert(node);
        if (std::ranges::find(m_found.projections, node, &LinearNode::node) == m_found.projections.end())
            m_found.projections.push_back(m_linears.at(node));
        m_found.channels.push_back({node, first, value});
        const NamedArgument* input = inputOf(m_graph.nodes[node], "input");
        if (m_found.input.empty())
            m_found.input = input->value.name;
        return m_found.input == input->value.name && m_found.projections.size() <= 2;
    }

    // By their place in the list from here on, in the order in which they run.
    void numberProjections()
    {
        std::ranges::sort(m_found.projections, {}, &LinearNode::node);
        for (InnerChannels& rows : m_found.channels)
            rows.projection =
                static_cast<std::size_t>(std::ranges::find(m_found.projections, rows.projection, &LinearNode::node)
                    - m_found.projections.begin());
        std::ranges::sort(
            m_found.channels, {}, [](const InnerChannels& rows) { return std::pair(rows.projection, rows.first); });
    }

    // What is made inside is read inside; all of it runs under one mode.
    bool isClosed() const
    {
        for (const std::size_t member : m_members) {
            if (m_graph.nodes[member].regions != m_graph.nodes[m_found.output.node].regions)
                return false;
            if (member == m_found.output.node)
                continue;
            for (const Argument& output : m_graph.nodes[member].outputs)
                for (const std::string& value : valuesOf(output))
                    if (!std::ranges::includes(m_members, m_uses.readers(value)))
                        return false;
        }
        return true;
    }

    bool hasWholeProjections() const
    {
        return std::ranges::all_of(m_found.channels, [&](const InnerChannels& channels) {
            const std::int64_t rows = m_found.projections[channels.projection].rows;
            return rows == (m_found.cuts.empty() ? 1 : 2) * m_found.inner;
        });
    }

    std::string sharedPath() const
    {
        std::vector<ModuleCall> shared = m_graph.nodes[m_found.output.node].modules;
        for (const std::size_t member : m_members) {
            const auto& calls = m_graph.nodes[member].modules;
            const auto [end, other] = std::ranges::mismatch(shared, calls);
            shared.erase(end, shared.end());
        }
        return shared.empty() ? std::string() : shared.back().path;
    }

    static constexpr std::size_t kMost = 64; ///< nodes; what has more is no feed-forward

    const Graph& m_graph;
    const Uses& m_uses;
    const std::map<std::size_t, LinearNode>& m_linears;
    FeedForwardNodes m_found;
    std::set<std::size_t> m_members;
    std::set<std::size_t> m_between;
};

bool isWithin(const FeedForwardNodes& found, const Blocks& blocks)
{
    std::size_t first = found.output.node;
    for (const LinearNode& projection : found.projections)
        first = std::min(first, projection.node);
    return blocks.ranges.empty() || std::ranges::any_of(blocks.ranges, [&](const BlockRange& block) {
        return block.first <= first && found.output.node <= block.last;
    });
}

// "model.layers.*.mlp": numbers of list elements are replaced.
std::string kindOfPath(const std::string& path)
{
    std::string kind;
    for (std::size_t begin = 0; begin < path.size();) {
        const std::size_t end = std::min(path.find('.', begin), path.size());
        const std::string part = path.substr(begin, end - begin);
        const bool isNumber = part.find_first_not_of("0123456789") == std::string::npos;
        kind += (kind.empty() ? "" : ".") + (isNumber ? std::string("*") : part);
        begin = end + 1;
    }
    return kind.empty() ? "the model's own forward" : kind;
}

} // namespace

std::vector<LinearNode> linearNodes(const ExportedModel& model)
{
    std::map<std::string, const StoredTensor*> stored;
    for (const StoredTensor& tensor : model.tensors)
        stored.emplace(tensor.value, &tensor);
    std::vector<LinearNode> found;
    for (std::size_t index = 0; index < model.graph.nodes.size(); ++index) {
        const Node& node = model.graph.nodes[index];
        if (node.target != "torch.ops.aten.linear.default" || node.inputs.size() < 2)
            continue;
        const std::string path = node.module();
        const auto isOwn = [&](std::size_t place, const char* name) {
            const auto tensor = stored.find(node.inputs[place].value.name);
            return tensor != stored.end() && tensor->second->kind == StoredKind::Parameter
                && tensor->second->tiedTo.empty() && tensor->second->name == path + "." + name;
        };
        const bool hasBias = node.inputs.size() > 2 && node.inputs[2].value.kind == ArgumentKind::Tensor;
        if (!isOwn(1, "weight") || (hasBias && !isOwn(2, "bias")) || path.empty())
            continue;
        const auto& sizes = stored.at(node.inputs[1].value.name)->info.sizes;
        if (sizes.size() == 2)
            found.push_back({index, path, sizes[0].example, sizes[1].example});
    }
    return found;
}

std::vector<FeedForwardNodes> findFeedForwards(const ExportedModel& model, const Blocks& blocks)
{
    std::map<std::size_t, LinearNode> linears;
    for (const LinearNode& linear : linearNodes(model))
        linears.emplace(linear.node, linear);
    const Uses uses(model.graph);
    Search search(model, uses, linears);
    std::vector<FeedForwardNodes> found;
    for (const auto& [index, linear] : linears)
        if (auto feedForward = search.endingWith(linear); feedForward && isWithin(*feedForward, blocks))
            found.push_back(std::move(*feedForward));
    return found;
}

std::vector<std::string> describeFeedForwards(
    const ExportedModel& model, const std::vector<FeedForwardNodes>& feedForwards)
{
    std::map<std::string, int> kinds;
    for (const FeedForwardNodes& found : feedForwards) {
        std::vector<std::string> ops;
        for (const std::size_t node : found.between)
            ops.push_back(atenName(model.graph.nodes[node]));
        const std::size_t linears = found.projections.size();
        ++kinds[kindOfPath(found.path) + ": " + (found.cuts.empty() ? "" : "halves of ") + std::to_string(linears)
            + (linears == 1 ? " Linear to " : " Linears to ") + std::to_string(found.inner) + " channels, "
            + joined(ops) + ", Linear"];
    }
    std::vector<std::string> lines;
    for (const auto& [kind, count] : kinds)
        lines.push_back(kind + " (" + std::to_string(count) + " of them)");
    return lines;
}

} // namespace headroom::archive
