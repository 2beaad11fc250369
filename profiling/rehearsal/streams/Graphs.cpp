// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/streams/Graphs.h"

#include <algorithm>
#include <utility>

namespace headroom::rehearsal {

GraphNode* Graph::add(Work work, std::vector<GraphNode*> dependencies)
{
    auto node = std::make_unique<GraphNode>();
    node->work = std::move(work);
    node->dependencies = std::move(dependencies);
    node->graph = this;
    node->index = nodes.size();
    nodes.push_back(std::move(node));
    return nodes.back().get();
}

std::unique_ptr<Graph> Graph::clone() const
{
    auto copy = std::make_unique<Graph>();
    for (const auto& node : nodes)
        copy->add(node->work, {});
    for (const auto& node : nodes) {
        for (const GraphNode* dependency : node->dependencies)
            copy->nodes[node->index]->dependencies.push_back(copy->nodes[dependency->index].get());
    }
    return copy;
}

std::vector<const GraphNode*> Graph::inOrder() const
{
    std::vector<std::size_t> open(nodes.size());
    std::vector<std::vector<std::size_t>> followers(nodes.size());
    std::vector<const GraphNode*> order;
    for (const auto& node : nodes) {
        open[node->index] = node->dependencies.size();
        for (const GraphNode* dependency : node->dependencies)
            followers[dependency->index].push_back(node->index);
        if (node->dependencies.empty())
            order.push_back(node.get());
    }
    for (std::size_t done = 0; done < order.size(); ++done) {
        for (const std::size_t follower : followers[order[done]->index]) {
            if (--open[follower] == 0)
                order.push_back(nodes[follower].get());
        }
    }
    return order;
}

std::int64_t Graph::durationNs() const
{
    std::int64_t end = 0;
    for (const NodeSpan& span : spansOf(*this))
        end = std::max(end, span.endNs);
    return end;
}

void Graph::remove(GraphNode* node)
{
    for (const auto& other : nodes)
        std::erase(other->dependencies, node);
    nodes.erase(nodes.begin() + static_cast<std::ptrdiff_t>(node->index));
    number();
}

bool Graph::isLeaf(const GraphNode* node) const
{
    return std::none_of(nodes.begin(), nodes.end(), [&](const auto& other) {
        return std::find(other->dependencies.begin(), other->dependencies.end(), node) != other->dependencies.end();
    });
}

void Graph::number()
{
    for (std::size_t i = 0; i < nodes.size(); ++i)
        nodes[i]->index = i;
}

std::vector<NodeSpan> spansOf(const Graph& graph)
{
    std::vector<std::int64_t> ends(graph.nodes.size());
    std::vector<NodeSpan> spans;
    for (const GraphNode* node : graph.inOrder()) {
        std::int64_t begin = 0;
        for (const GraphNode* dependency : node->dependencies)
            begin = std::max(begin, ends[dependency->index]);
        ends[node->index] = begin + durationNs(node->work);
        spans.push_back({node, begin, ends[node->index]});
    }
    return spans;
}

} // namespace headroom::rehearsal
