// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/streams/GraphTable.h"

#include "profiling/rehearsal/Lock.h"

#include <algorithm>
#include <cstdio>
#include <driver_types.h>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace headroom::rehearsal {

struct UserObject {
    void* data = nullptr;
    HostFunction destroy = nullptr;
    unsigned references = 0;
};

namespace {

using Retained = std::map<UserObject*, unsigned>;

struct Table {
    std::unordered_map<const Graph*, Retained> graphs;
    std::unordered_map<const ExecutableGraph*, Retained> executables;
    std::unordered_set<UserObject*> objects;
    std::uint64_t lastExecutable = 0;
};

constinit Lock tableLock;

Table& graphTable()
{
    static auto& table = *new Table;
    return table;
}

/// Without the lock: it calls the program.
void endObject(UserObject* object)
{
    object->destroy(object->data);
    delete object;
}

/// Takes references away; those that had the last ones are returned, to be ended without the lock.
std::vector<UserObject*> dropAll(const Retained& retained)
{
    std::vector<UserObject*> ended;
    for (const auto& [object, count] : retained) {
        object->references -= std::min(count, object->references);
        if (object->references == 0) {
            graphTable().objects.erase(object);
            ended.push_back(object);
        }
    }
    return ended;
}

int forget(Retained& retained, UserObject* object, unsigned count)
{
    const auto found = retained.find(object);
    if (found == retained.end() || found->second < count)
        return cudaErrorInvalidValue;
    found->second -= count;
    if (found->second == 0)
        retained.erase(found);
    return cudaSuccess;
}

/// Whether two graphs have the same kinds of nodes with the same dependencies.
bool isSameShape(const Graph& one, const Graph& other)
{
    return std::equal(
        one.nodes.begin(), one.nodes.end(), other.nodes.begin(), other.nodes.end(), [](const auto& a, const auto& b) {
            return a->work.kind == b->work.kind
                && std::equal(a->dependencies.begin(), a->dependencies.end(), b->dependencies.begin(),
                    b->dependencies.end(), [](const GraphNode* x, const GraphNode* y) { return x->index == y->index; });
        });
}

const char* label(const Work& work)
{
    switch (work.kind) {
    case Work::Kind::Kernel:
        return work.launch.name;
    case Work::Kind::Copy:
        return "copy";
    case Work::Kind::Fill:
        return "fill";
    case Work::Kind::Host:
        return "host function";
    case Work::Kind::Graph:
        return "graph";
    case Work::Kind::Empty:
        return "empty";
    case Work::Kind::WaitEvent:
        return "wait for event";
    case Work::Kind::RecordEvent:
        return "record event";
    }
    return "";
}

} // namespace

Graph* makeGraph()
{
    auto* graph = new Graph;
    adoptGraph(graph);
    return graph;
}

void adoptGraph(Graph* graph)
{
    const LockScope scope(tableLock);
    graphTable().graphs.try_emplace(graph);
}

int cloneGraph(const Graph* graph, Graph** clone)
{
    if (!isGraph(graph))
        return cudaErrorInvalidValue;
    *clone = graph->clone().release();
    adoptGraph(*clone);
    return cudaSuccess;
}

int destroyGraph(Graph* graph)
{
    std::vector<UserObject*> ended;
    {
        const LockScope scope(tableLock);
        const auto found = graphTable().graphs.find(graph);
        if (found == graphTable().graphs.end())
            return cudaErrorInvalidValue;
        ended = dropAll(found->second);
        graphTable().graphs.erase(found);
    }
    delete graph;
    std::for_each(ended.begin(), ended.end(), endObject);
    return cudaSuccess;
}

bool isGraph(const Graph* graph)
{
    const LockScope scope(tableLock);
    return graphTable().graphs.contains(graph);
}

bool isNode(const GraphNode* node)
{
    return node != nullptr && node->graph != nullptr;
}

int destroyNode(GraphNode* node)
{
    if (!isNode(node))
        return cudaErrorInvalidValue;
    node->graph->remove(node);
    return cudaSuccess;
}

int addNode(Graph* graph, const std::vector<GraphNode*>& dependencies, Work work, GraphNode** node)
{
    const bool isForeign = std::any_of(dependencies.begin(), dependencies.end(),
        [&](const GraphNode* one) { return one == nullptr || one->graph != graph; });
    if (graph == nullptr || node == nullptr || isForeign)
        return cudaErrorInvalidValue;
    *node = graph->add(std::move(work), dependencies);
    return cudaSuccess;
}

int connect(GraphNode* from, GraphNode* to)
{
    if (!isNode(from) || !isNode(to) || from->graph != to->graph || from == to)
        return cudaErrorInvalidValue;
    if (std::find(to->dependencies.begin(), to->dependencies.end(), from) != to->dependencies.end())
        return cudaErrorInvalidValue;
    to->dependencies.push_back(from);
    return cudaSuccess;
}

int disconnect(GraphNode* from, GraphNode* to)
{
    return isNode(from) && isNode(to) && std::erase(to->dependencies, from) > 0 ? cudaSuccess : cudaErrorInvalidValue;
}

int instantiate(const Graph* graph, unsigned long long /*flags*/, ExecutableGraph** executable)
{
    if (executable == nullptr || !isGraph(graph))
        return cudaErrorInvalidValue;
    if (graph->inOrder().size() != graph->nodes.size())
        return cudaErrorInvalidValue;
    auto* made = new ExecutableGraph;
    made->graph = graph->clone();
    made->spans = spansOf(*made->graph);
    const LockScope scope(tableLock);
    made->id = ++graphTable().lastExecutable;
    // What a graph keeps alive is kept by what is made of it, too.
    const Retained& retained = graphTable().graphs[graph];
    for (const auto& [object, count] : retained)
        object->references += count;
    graphTable().executables[made] = retained;
    *executable = made;
    return cudaSuccess;
}

int destroyExecutable(ExecutableGraph* executable)
{
    std::vector<UserObject*> ended;
    {
        const LockScope scope(tableLock);
        const auto found = graphTable().executables.find(executable);
        if (found == graphTable().executables.end())
            return cudaErrorInvalidValue;
        ended = dropAll(found->second);
        graphTable().executables.erase(found);
    }
    delete executable;
    std::for_each(ended.begin(), ended.end(), endObject);
    return cudaSuccess;
}

bool isExecutable(const ExecutableGraph* executable)
{
    const LockScope scope(tableLock);
    return graphTable().executables.contains(executable);
}

int update(ExecutableGraph& executable, const Graph& graph)
{
    if (!isSameShape(*executable.graph, graph))
        return cudaErrorGraphExecUpdateFailure;
    executable.graph = graph.clone();
    executable.spans = spansOf(*executable.graph);
    return cudaSuccess;
}

int makeUserObject(void* data, HostFunction destroy, unsigned references, UserObject** object)
{
    if (destroy == nullptr || object == nullptr || references == 0)
        return cudaErrorInvalidValue;
    *object = new UserObject{data, destroy, references};
    const LockScope scope(tableLock);
    graphTable().objects.insert(*object);
    return cudaSuccess;
}

int retain(UserObject* object, unsigned count)
{
    const LockScope scope(tableLock);
    if (count == 0 || !graphTable().objects.contains(object))
        return cudaErrorInvalidValue;
    object->references += count;
    return cudaSuccess;
}

int release(UserObject* object, unsigned count)
{
    std::vector<UserObject*> ended;
    {
        const LockScope scope(tableLock);
        if (count == 0 || !graphTable().objects.contains(object) || object->references < count)
            return cudaErrorInvalidValue;
        ended = dropAll({{object, count}});
    }
    std::for_each(ended.begin(), ended.end(), endObject);
    return cudaSuccess;
}

int retainInGraph(Graph* graph, UserObject* object, unsigned count, bool moves)
{
    const LockScope scope(tableLock);
    const auto found = graphTable().graphs.find(graph);
    if (count == 0 || found == graphTable().graphs.end() || !graphTable().objects.contains(object))
        return cudaErrorInvalidValue;
    found->second[object] += count;
    object->references += moves ? 0 : count;
    return cudaSuccess;
}

int releaseFromGraph(Graph* graph, UserObject* object, unsigned count)
{
    {
        const LockScope scope(tableLock);
        const auto found = graphTable().graphs.find(graph);
        if (found == graphTable().graphs.end())
            return cudaErrorInvalidValue;
        if (const int status = forget(found->second, object, count); status != cudaSuccess)
            return status;
    }
    return release(object, count);
}

int writeDot(const Graph& graph, const char* path)
{
    std::FILE* file = std::fopen(path, "w");
    if (file == nullptr)
        return cudaErrorOperatingSystem;
    std::fprintf(file, "digraph graph_1 {\n");
    for (const auto& node : graph.nodes) {
        std::fprintf(file, "    n%zu [label=\"%zu %s\"];\n", node->index, node->index, label(node->work));
        for (const GraphNode* dependency : node->dependencies)
            std::fprintf(file, "    n%zu -> n%zu;\n", dependency->index, node->index);
    }
    std::fprintf(file, "}\n");
    return std::fclose(file) == 0 ? cudaSuccess : cudaErrorOperatingSystem;
}

} // namespace headroom::rehearsal
