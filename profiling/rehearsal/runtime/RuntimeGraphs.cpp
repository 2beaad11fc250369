// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/kernels/Kernels.h"
#include "profiling/rehearsal/runtime/Call.h"
#include "profiling/rehearsal/runtime/GraphNodes.h"
#include "profiling/rehearsal/streams/Captures.h"
#include "profiling/rehearsal/streams/GraphTable.h"
#include "profiling/rehearsal/streams/Streams.h"

#include <algorithm>
#include <cuda_runtime_api.h>
#include <utility>

using namespace headroom::rehearsal; // NOLINT: what follows is C

namespace {

/// Answers a list as the runtime does: how many there are where no room is given, else as many as fit, and null for the
/// rest.
int answerNodes(const std::vector<GraphNode*>& found, cudaGraphNode_t* nodes, std::size_t* count)
{
    if (count == nullptr)
        return cudaErrorInvalidValue;
    if (nodes != nullptr) {
        for (std::size_t i = 0; i < *count; ++i)
            nodes[i] = i < found.size() ? handleOf(found[i]) : nullptr;
        *count = std::min(*count, found.size());
    } else {
        *count = found.size();
    }
    return cudaSuccess;
}

template <typename Wanted> int nodesOf(cudaGraph_t handle, cudaGraphNode_t* nodes, std::size_t* count, Wanted wanted)
{
    const Graph* graph = graphOf(handle);
    if (!isGraph(graph) && graph == nullptr)
        return cudaErrorInvalidValue;
    std::vector<GraphNode*> found;
    for (const auto& node : graph->nodes) {
        if (wanted(*node))
            found.push_back(node.get());
    }
    return answerNodes(found, nodes, count);
}

int edgesOf(cudaGraph_t handle, cudaGraphNode_t* from, cudaGraphNode_t* to, std::size_t* count)
{
    const Graph* graph = graphOf(handle);
    if (graph == nullptr)
        return cudaErrorInvalidValue;
    std::vector<GraphNode*> sources;
    std::vector<GraphNode*> targets;
    for (const auto& node : graph->nodes) {
        for (GraphNode* dependency : node->dependencies) {
            sources.push_back(dependency);
            targets.push_back(node.get());
        }
    }
    if (from != nullptr && to != nullptr && count != nullptr) {
        std::size_t room = *count;
        answerNodes(sources, from, &room);
    }
    return answerNodes(targets, from == nullptr ? nullptr : to, count);
}

int followersOf(cudaGraphNode_t handle, cudaGraphNode_t* nodes, std::size_t* count)
{
    GraphNode* node = nodeOf(handle);
    if (!isNode(node))
        return cudaErrorInvalidValue;
    return nodesOf(reinterpret_cast<cudaGraph_t>(node->graph), nodes, count, [&](const GraphNode& other) {
        return std::find(other.dependencies.begin(), other.dependencies.end(), node) != other.dependencies.end();
    });
}

template <typename Change>
int forEdges(const cudaGraphNode_t* from, const cudaGraphNode_t* to, std::size_t count, Change change)
{
    for (std::size_t i = 0; i < count; ++i) {
        if (const int status = change(nodeOf(from[i]), nodeOf(to[i])); status != cudaSuccess)
            return status;
    }
    return cudaSuccess;
}

int makeExecutable(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags)
{
    return instantiate(graphOf(graph), flags, reinterpret_cast<ExecutableGraph**>(executable));
}

ExecutableGraph* executableOf(cudaGraphExec_t handle)
{
    auto* executable = reinterpret_cast<ExecutableGraph*>(handle);
    return isExecutable(executable) ? executable : nullptr;
}

UserObject* objectOf(cudaUserObject_t handle)
{
    return reinterpret_cast<UserObject*>(handle);
}

} // namespace

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t* pGraph, unsigned flags)
{
    if (pGraph == nullptr || flags != 0)
        return noted(cudaErrorInvalidValue);
    *pGraph = reinterpret_cast<cudaGraph_t>(makeGraph());
    return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    return noted(destroyGraph(graphOf(graph)));
}

cudaError_t cudaGraphClone(cudaGraph_t* pGraphClone, cudaGraph_t originalGraph)
{
    if (pGraphClone == nullptr)
        return noted(cudaErrorInvalidValue);
    return noted(cloneGraph(graphOf(originalGraph), reinterpret_cast<Graph**>(pGraphClone)));
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* pNode, cudaGraphNode_t originalNode, cudaGraph_t clonedGraph)
{
    const GraphNode* original = nodeOf(originalNode);
    const Graph* clone = graphOf(clonedGraph);
    if (pNode == nullptr || !isNode(original) || !isGraph(clone) || original->index >= clone->nodes.size())
        return noted(cudaErrorInvalidValue);
    *pNode = handleOf(clone->nodes[original->index].get());
    return cudaSuccess;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* numNodes)
{
    return noted(nodesOf(graph, nodes, numNodes, [](const GraphNode&) { return true; }));
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* pRootNodes, std::size_t* pNumRootNodes)
{
    return noted(
        nodesOf(graph, pRootNodes, pNumRootNodes, [](const GraphNode& node) { return node.dependencies.empty(); }));
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node)
{
    return noted(destroyNode(nodeOf(node)));
}

#if CUDART_VERSION >= 13000
cudaError_t cudaGraphGetEdges(
    cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData* edgeData, std::size_t* numEdges)
#else
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, std::size_t* numEdges)
{
    return noted(edgesOf(graph, from, to, numEdges));
}

cudaError_t cudaGraphGetEdges_v2(
    cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData* edgeData, std::size_t* numEdges)
#endif
{
    if (edgeData != nullptr && numEdges != nullptr)
        std::fill_n(edgeData, *numEdges, cudaGraphEdgeData{});
    return noted(edgesOf(graph, from, to, numEdges));
}

#if CUDART_VERSION >= 13000
cudaError_t cudaGraphNodeGetDependencies(
    cudaGraphNode_t node, cudaGraphNode_t* pDependencies, cudaGraphEdgeData* edgeData, std::size_t* count)
#else
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* pDependencies, std::size_t* count)
{
    return noted(isNode(nodeOf(node)) ? answerNodes(nodeOf(node)->dependencies, pDependencies, count)
                                      : static_cast<int>(cudaErrorInvalidValue));
}

cudaError_t cudaGraphNodeGetDependencies_v2(
    cudaGraphNode_t node, cudaGraphNode_t* pDependencies, cudaGraphEdgeData* edgeData, std::size_t* count)
#endif
{
    if (!isNode(nodeOf(node)) || count == nullptr)
        return noted(cudaErrorInvalidValue);
    if (edgeData != nullptr)
        std::fill_n(edgeData, *count, cudaGraphEdgeData{});
    return noted(answerNodes(nodeOf(node)->dependencies, pDependencies, count));
}

#if CUDART_VERSION >= 13000
cudaError_t cudaGraphNodeGetDependentNodes(
    cudaGraphNode_t node, cudaGraphNode_t* nodes, cudaGraphEdgeData* edgeData, std::size_t* count)
#else
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes, std::size_t* count)
{
    return noted(followersOf(node, nodes, count));
}

cudaError_t cudaGraphNodeGetDependentNodes_v2(
    cudaGraphNode_t node, cudaGraphNode_t* nodes, cudaGraphEdgeData* edgeData, std::size_t* count)
#endif
{
    if (edgeData != nullptr && count != nullptr)
        std::fill_n(edgeData, *count, cudaGraphEdgeData{});
    return noted(followersOf(node, nodes, count));
}

#if CUDART_VERSION >= 13000
cudaError_t cudaGraphAddDependencies(cudaGraph_t /*graph*/, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
    const cudaGraphEdgeData* /*edges*/, std::size_t count)
{
    return noted(forEdges(from, to, count, connect));
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t /*graph*/, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
    const cudaGraphEdgeData* /*edges*/, std::size_t count)
{
    return noted(forEdges(from, to, count, disconnect));
}
#else
cudaError_t cudaGraphAddDependencies(
    cudaGraph_t /*graph*/, const cudaGraphNode_t* from, const cudaGraphNode_t* to, std::size_t count)
{
    return noted(forEdges(from, to, count, connect));
}

cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
    const cudaGraphEdgeData* /*edges*/, std::size_t count)
{
    return cudaGraphAddDependencies(graph, from, to, count);
}

cudaError_t cudaGraphRemoveDependencies(
    cudaGraph_t /*graph*/, const cudaGraphNode_t* from, const cudaGraphNode_t* to, std::size_t count)
{
    return noted(forEdges(from, to, count, disconnect));
}

cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
    const cudaGraphEdgeData* /*edges*/, std::size_t count)
{
    return cudaGraphRemoveDependencies(graph, from, to, count);
}
#endif

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* pGraphExec, cudaGraph_t graph, unsigned long long flags)
{
    return noted(makeExecutable(pGraphExec, graph, flags));
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* pGraphExec, cudaGraph_t graph, unsigned long long flags)
{
    return noted(makeExecutable(pGraphExec, graph, flags));
}

cudaError_t cudaGraphInstantiateWithParams(
    cudaGraphExec_t* pGraphExec, cudaGraph_t graph, cudaGraphInstantiateParams* instantiateParams)
{
    if (instantiateParams == nullptr)
        return noted(cudaErrorInvalidValue);
    const int status = makeExecutable(pGraphExec, graph, instantiateParams->flags);
    instantiateParams->errNode_out = nullptr;
    instantiateParams->result_out = status == cudaSuccess ? cudaGraphInstantiateSuccess : cudaGraphInstantiateError;
    return noted(status);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graphExec)
{
    return noted(destroyExecutable(reinterpret_cast<ExecutableGraph*>(graphExec)));
}

cudaError_t cudaGraphUpload(cudaGraphExec_t graphExec, cudaStream_t /*stream*/)
{
    return noted(executableOf(graphExec) == nullptr ? cudaErrorInvalidValue : cudaSuccess);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t graphExec, cudaStream_t stream)
{
    const struct {
        cudaGraphExec_t graphExec;
        cudaStream_t stream;
    } parameters{graphExec, stream};
    return observed("cudaGraphLaunch", parameters, [&] {
        ExecutableGraph* executable = executableOf(graphExec);
        return executable == nullptr ? static_cast<int>(cudaErrorInvalidValue) : launchGraph(*executable, stream);
    });
}

cudaError_t cudaGraphExecUpdate(
    cudaGraphExec_t hGraphExec, cudaGraph_t hGraph, cudaGraphExecUpdateResultInfo* resultInfo)
{
    ExecutableGraph* executable = executableOf(hGraphExec);
    const Graph* graph = graphOf(hGraph);
    if (executable == nullptr || !isGraph(graph) || resultInfo == nullptr)
        return noted(cudaErrorInvalidValue);
    const int status = update(*executable, *graph);
    *resultInfo = {};
    resultInfo->result = status == cudaSuccess ? cudaGraphExecUpdateSuccess : cudaGraphExecUpdateErrorTopologyChanged;
    return noted(status);
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned /*flags*/)
{
    if (!isGraph(graphOf(graph)) || path == nullptr)
        return noted(cudaErrorInvalidValue);
    return noted(writeDot(*graphOf(graph), path));
}

cudaError_t cudaUserObjectCreate(
    cudaUserObject_t* object, void* ptr, cudaHostFn_t destroy, unsigned initialRefcount, unsigned /*flags*/)
{
    return noted(makeUserObject(ptr, destroy, initialRefcount, reinterpret_cast<UserObject**>(object)));
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned count)
{
    return noted(retain(objectOf(object), count));
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned count)
{
    return noted(release(objectOf(object), count));
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count, unsigned flags)
{
    return noted(retainInGraph(graphOf(graph), objectOf(object), count, (flags & cudaGraphUserObjectMove) != 0));
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count)
{
    return noted(releaseFromGraph(graphOf(graph), objectOf(object), count));
}

cudaError_t cudaDeviceGraphMemTrim(int /*device*/)
{
    return cudaSuccess;
}

/// No graph has memory of its own.
cudaError_t cudaDeviceGetGraphMemAttribute(int /*device*/, cudaGraphMemAttributeType /*attribute*/, void* value)
{
    if (value == nullptr)
        return noted(cudaErrorInvalidValue);
    *static_cast<unsigned long long*>(value) = 0;
    return cudaSuccess;
}

} // extern "C"
