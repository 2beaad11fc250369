// SPDX-License-Identifier: Apache-2.0
#include "core/archive/FeedForwards.h"

#include "core/archive/ValueUses.h"
#include "core/base/Wording.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

namespace headroom::archive {
namespace {

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

/// Looks for the feed-forward that ends with one Linear, from its input backward.
class Search {
public:
    Search(const ExportedModel& model, const ValueUses& uses, const std::map<std::size_t, LinearNode>& linears)
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
        m_members.clear();
        addMembers(output);
        if (!follow(output.input) || m_between.empty() || m_found.projections.empty())
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
        if (const auto linear = m_linears.find(*maker); linear != m_linears.end())
            return addProjection(linear->second, 0, value);
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
        const Argument* whole = argumentOf(node, "self");
        const auto maker = whole == nullptr ? std::nullopt : m_uses.maker(whole->name);
        const Argument* dimension = argumentOf(node, "dim");
        if (halves.size() != 2 || !maker || !m_linears.contains(*maker) || dimension == nullptr)
            return false;
        const std::int64_t rows = m_linears.at(*maker).rows;
        const auto info = m_graph.tensors.find(whole->name);
        const std::int64_t last =
            info == m_graph.tensors.end() ? -1 : static_cast<std::int64_t>(info->second.sizes.size()) - 1;
        const std::int64_t at = dimension->integer;
        const Argument* size = argumentOf(node, "split_size");
        const bool isHalf = name == "chunk" || (size != nullptr && size->integer * 2 == rows);
        if ((at != -1 && at != last) || rows != 2 * m_found.inner || !isHalf)
            return false;
        const auto cut = static_cast<std::size_t>(&node - m_graph.nodes.data());
        m_members.insert(cut);
        if (std::ranges::find(m_found.cuts, cut) == m_found.cuts.end())
            m_found.cuts.push_back(cut);
        addProjection(m_linears.at(*maker), 0, halves[0]);
        return addProjection(m_linears.at(*maker), m_found.inner, halves[1]);
    }

    void addMembers(const LinearNode& linear) { m_members.insert({linear.first, linear.node, linear.last}); }

    bool addProjection(const LinearNode& linear, std::int64_t first, const std::string& value)
    {
        addMembers(linear);
        if (std::ranges::find(m_found.projections, linear.node, &LinearNode::node) == m_found.projections.end())
            m_found.projections.push_back(linear);
        m_found.channels.push_back({linear.node, first, value});
        if (m_found.input.empty())
            m_found.input = linear.input;
        return m_found.input == linear.input && m_found.projections.size() <= 2;
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
            if (member == m_found.output.last)
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
    const ValueUses& m_uses;
    const std::map<std::size_t, LinearNode>& m_linears; ///< by their last node
    FeedForwardNodes m_found;
    std::set<std::size_t> m_members;
    std::set<std::size_t> m_between;
};

bool isWithin(const FeedForwardNodes& found, const Blocks& blocks)
{
    std::size_t first = found.output.first;
    for (const LinearNode& projection : found.projections)
        first = std::min(first, projection.first);
    return blocks.ranges.empty() || std::ranges::any_of(blocks.ranges, [&](const BlockRange& block) {
        return block.first <= first && found.output.last <= block.last;
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

std::vector<FeedForwardNodes> findFeedForwards(const ExportedModel& model, const Blocks& blocks)
{
    std::map<std::size_t, LinearNode> linears;
    for (const LinearNode& linear : linearNodes(model))
        linears.emplace(linear.last, linear);
    const ValueUses uses(model.graph);
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
