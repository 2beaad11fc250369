// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/rehearsal/streams/Work.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace headroom::rehearsal {

/// A node: what is to be done, and after which others.
struct GraphNode {
    Work work;
    std::vector<GraphNode*> dependencies;
    Graph* graph = nullptr;
    std::size_t index = 0; ///< in its graph
    std::vector<void*>
        arguments; ///< pointers of a kernel's arguments that its creator gave, for whoever asks for them back
};

/// A graph of work, captured or put together by hand. Not for several threads at once, as with the real one.
struct Graph {
    std::vector<std::unique_ptr<GraphNode>> nodes;

    GraphNode* add(Work work, std::vector<GraphNode*> dependencies);
    /// The same nodes in a graph of their own.
    std::unique_ptr<Graph> clone() const;
    /// Nodes so that each comes after those that it depends on; fewer than all where they go in a circle.
    std::vector<const GraphNode*> inOrder() const;
    /// Along the longest path.
    std::int64_t durationNs() const;
    void remove(GraphNode* node);
    bool isLeaf(const GraphNode* node) const;

private:
    void number();
};

/// When a node begins and ends, counted from the start of the graph.
struct NodeSpan {
    const GraphNode* node = nullptr;
    std::int64_t beginNs = 0;
    std::int64_t endNs = 0;
};
std::vector<NodeSpan> spansOf(const Graph& graph);

/// A graph ready to be launched.
struct ExecutableGraph {
    std::shared_ptr<Graph> graph;
    std::vector<NodeSpan> spans;
    std::uint64_t id = 0; ///< as profilers count them
};

} // namespace headroom::rehearsal
