// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/rehearsal/streams/Graphs.h"

#include <cstddef>
#include <vector>

namespace headroom::rehearsal {

/// The graphs, executable graphs and user objects that the program has handles of. Status codes of the runtime.
Graph* makeGraph();
/// A graph that a capture made becomes one of the program's.
void adoptGraph(Graph* graph);
int cloneGraph(const Graph* graph, Graph** clone);
int destroyGraph(Graph* graph);
bool isGraph(const Graph* graph);
/// A node of one of them.
bool isNode(const GraphNode* node);
int destroyNode(GraphNode* node);

/// Adds a node behind others of the same graph.
int addNode(Graph* graph, const std::vector<GraphNode*>& dependencies, Work work, GraphNode** node);
int connect(GraphNode* from, GraphNode* to);
int disconnect(GraphNode* from, GraphNode* to);

int instantiate(const Graph* graph, unsigned long long flags, ExecutableGraph** executable);
int destroyExecutable(ExecutableGraph* executable);
bool isExecutable(const ExecutableGraph* executable);
/// The executable does from now on what the graph says; cudaErrorGraphExecUpdateFailure where that has other nodes.
int update(ExecutableGraph& executable, const Graph& graph);

/// Something that graphs keep alive, with the function that ends it.
struct UserObject;
int makeUserObject(void* data, HostFunction destroy, unsigned references, UserObject** object);
int retain(UserObject* object, unsigned count);
int release(UserObject* object, unsigned count);
/// `moves`: the graph takes over references that the caller has.
int retainInGraph(Graph* graph, UserObject* object, unsigned count, bool moves);
int releaseFromGraph(Graph* graph, UserObject* object, unsigned count);

/// As text for Graphviz: 0, or cudaErrorOperatingSystem where the file cannot be written.
int writeDot(const Graph& graph, const char* path);

} // namespace headroom::rehearsal
