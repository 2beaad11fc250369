// SPDX-License-Identifier: Apache-2.0
#include "core/archive/ValueUses.h"

namespace headroom::archive {
namespace {

// Stands before a cast, and does nothing with the tensor.
constexpr std::string_view kAssertion = "torch.ops.aten._assert_tensor_metadata.default";

} // namespace

ValueUses::ValueUses(const Graph& graph)
{
    for (std::size_t index = 0; index < graph.nodes.size(); ++index) {
        if (graph.nodes[index].target != kAssertion)
            for (const NamedArgument& input : graph.nodes[index].inputs)
                forEachValue(input.value, [&](const std::string& value) { addReader(value, index); });
        for (const Argument& output : graph.nodes[index].outputs)
            forEachValue(output, [&](const std::string& value) { m_makers.emplace(value, index); });
    }
    for (const Argument& output : graph.outputs)
        forEachValue(output, [&](const std::string& value) { addReader(value, graph.nodes.size()); });
}

void ValueUses::addReader(std::string_view value, std::size_t node)
{
    std::vector<std::size_t>& readers = m_readers[value];
    if (readers.empty() || readers.back() != node)
        readers.push_back(node);
}

std::optional<std::size_t> ValueUses::maker(std::string_view value) const
{
    const auto found = m_makers.find(value);
    return found == m_makers.end() ? std::nullopt : std::optional(found->second);
}

const std::vector<std::size_t>& ValueUses::readers(std::string_view value) const
{
    static const std::vector<std::size_t> kNone;
    const auto found = m_readers.find(value);
    return found == m_readers.end() ? kNone : found->second;
}

bool ValueUses::isReadBy(std::string_view value, std::size_t node) const
{
    const std::vector<std::size_t>& all = readers(value);
    return all.size() == 1 && all.front() == node;
}

} // namespace headroom::archive
