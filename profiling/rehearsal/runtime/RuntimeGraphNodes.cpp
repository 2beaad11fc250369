// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/kernels/Kernels.h"
#include "profiling/rehearsal/runtime/Call.h"
#include "profiling/rehearsal/runtime/GraphNodes.h"
#include "profiling/rehearsal/streams/GraphTable.h"

#include <cuda_runtime_api.h>
#include <utility>

using namespace headroom::rehearsal; // NOLINT: what follows is C

namespace {

cudaGraphNodeType typeOf(const Work& work)
{
    switch (work.kind) {
    case Work::Kind::Kernel:
        return cudaGraphNodeTypeKernel;
    case Work::Kind::Copy:
        return cudaGraphNodeTypeMemcpy;
    case Work::Kind::Fill:
        return cudaGraphNodeTypeMemset;
    case Work::Kind::Host:
        return cudaGraphNodeTypeHost;
    case Work::Kind::Graph:
        return cudaGraphNodeTypeGraph;
    case Work::Kind::Empty:
        return cudaGraphNodeTypeEmpty;
    case Work::Kind::WaitEvent:
        return cudaGraphNodeTypeWaitEvent;
    case Work::Kind::RecordEvent:
        return cudaGraphNodeTypeEventRecord;
    }
    return cudaGraphNodeTypeEmpty;
}

struct NewNode {
    cudaGraphNode_t* node;
    cudaGraph_t graph;
    const cudaGraphNode_t* dependencies;
    std::size_t count;
};

int add(const NewNode& place, Work work)
{
    std::vector<GraphNode*> dependencies;
    for (std::size_t i = 0; i < place.count; ++i)
        dependencies.push_back(nodeOf(place.dependencies[i]));
    return addNode(graphOf(place.graph), dependencies, std::move(work), reinterpret_cast<GraphNode**>(place.node));
}

Work kernelWork(const cudaKernelNodeParams& params)
{
    Work work;
    work.kind = Work::Kind::Kernel;
    work.launch.kernel = kernelOf(params.func);
    work.launch.name = work.launch.kernel == nullptr ? "" : work.launch.kernel->name;
    work.launch.grid = {params.gridDim.x, params.gridDim.y, params.gridDim.z};
    work.launch.block = {params.blockDim.x, params.blockDim.y, params.blockDim.z};
    work.launch.sharedBytes = params.sharedMemBytes;
    work.launch.registers = kNominalRegisters;
    return work;
}

Work fillWork(const cudaMemsetParams& params)
{
    Work work;
    work.kind = Work::Kind::Fill;
    work.fill.destination = params.dst;
    work.fill.pitch = params.pitch;
    work.fill.value = params.value;
    work.fill.valueBytes = params.elementSize;
    work.fill.width = params.width * params.elementSize;
    work.fill.height = params.height;
    return work;
}

Work copyWork(const cudaMemcpy3DParms& params)
{
    const auto at = [](const cudaPitchedPtr& memory, const cudaPos& position) {
        return static_cast<char*>(memory.ptr) + position.z * memory.pitch * memory.ysize + position.y * memory.pitch
            + position.x;
    };
    Work work;
    work.kind = Work::Kind::Copy;
    work.copy.destination = at(params.dstPtr, params.dstPos);
    work.copy.destinationPitch = params.dstPtr.pitch;
    work.copy.destinationSlice = params.dstPtr.pitch * params.dstPtr.ysize;
    work.copy.source = at(params.srcPtr, params.srcPos);
    work.copy.sourcePitch = params.srcPtr.pitch;
    work.copy.sourceSlice = params.srcPtr.pitch * params.srcPtr.ysize;
    work.copy.width = params.extent.width;
    work.copy.height = params.extent.height;
    work.copy.depth = params.extent.depth;
    return work;
}

Work bytesWork(void* destination, const void* source, std::size_t bytes)
{
    Work work;
    work.kind = Work::Kind::Copy;
    work.copy.destination = destination;
    work.copy.source = source;
    work.copy.width = bytes;
    return work;
}

Work eventWork(Work::Kind kind, cudaEvent_t event)
{
    Work work;
    work.kind = kind;
    work.event = reinterpret_cast<Event*>(event);
    return work;
}

/// The node, where it is of that kind.
GraphNode* nodeOfKind(cudaGraphNode_t handle, Work::Kind kind)
{
    GraphNode* node = nodeOf(handle);
    return isNode(node) && node->work.kind == kind ? node : nullptr;
}

cudaKernelNodeParams kernelParams(const Launch& launch)
{
    cudaKernelNodeParams params{};
    params.func = const_cast<Kernel*>(launch.kernel);
    params.gridDim = dim3{launch.grid.x, launch.grid.y, launch.grid.z};
    params.blockDim = dim3{launch.block.x, launch.block.y, launch.block.z};
    params.sharedMemBytes = static_cast<unsigned>(launch.sharedBytes);
    return params;
}

/// The node of an executable graph that stands where a node stands in the graph that it was made of.
GraphNode* inExecutable(cudaGraphExec_t handle, cudaGraphNode_t node, Work::Kind kind)
{
    auto* executable = reinterpret_cast<ExecutableGraph*>(handle);
    const GraphNode* original = nodeOfKind(node, kind);
    if (original == nullptr || !isExecutable(executable) || original->index >= executable->graph->nodes.size())
        return nullptr;
    GraphNode* same = executable->graph->nodes[original->index].get();
    return same->work.kind == kind ? same : nullptr;
}

int replace(GraphNode* node, Work work)
{
    if (node == nullptr)
        return cudaErrorInvalidValue;
    node->work = std::move(work);
    return cudaSuccess;
}

} // namespace

extern "C" {

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* pType)
{
    if (!isNode(nodeOf(node)) || pType == nullptr)
        return noted(cudaErrorInvalidValue);
    *pType = typeOf(nodeOf(node)->work);
    return cudaSuccess;
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* pGraphNode, cudaGraph_t graph, const cudaGraphNode_t* pDependencies,
    std::size_t numDependencies, const cudaKernelNodeParams* pNodeParams)
{
    if (pNodeParams == nullptr || kernelOf(pNodeParams->func) == nullptr)
        return noted(pNodeParams == nullptr ? cudaErrorInvalidValue : cudaErrorInvalidDeviceFunction);
    return noted(add({pGraphNode, graph, pDependencies, numDependencies}, kernelWork(*pNodeParams)));
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* pGraphNode, cudaGraph_t graph, const cudaGraphNode_t* pDependencies,
    std::size_t numDependencies, const cudaMemcpy3DParms* pCopyParams)
{
    if (pCopyParams == nullptr || pCopyParams->srcArray != nullptr || pCopyParams->dstArray != nullptr)
        return noted(cudaErrorInvalidValue);
    return noted(add({pGraphNode, graph, pDependencies, numDependencies}, copyWork(*pCopyParams)));
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* pGraphNode, cudaGraph_t graph,
    const cudaGraphNode_t* pDependencies, std::size_t numDependencies, void* dst, const void* src, std::size_t count,
    cudaMemcpyKind /*kind*/)
{
    return noted(add({pGraphNode, graph, pDependencies, numDependencies}, bytesWork(dst, src, count)));
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* pGraphNode, cudaGraph_t graph, const cudaGraphNode_t* pDependencies,
    std::size_t numDependencies, const cudaMemsetParams* pMemsetParams)
{
    if (pMemsetParams == nullptr)
        return noted(cudaErrorInvalidValue);
    return noted(add({pGraphNode, graph, pDependencies, numDependencies}, fillWork(*pMemsetParams)));
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* pGraphNode, cudaGraph_t graph, const cudaGraphNode_t* pDependencies,
    std::size_t numDependencies, const cudaHostNodeParams* pNodeParams)
{
    if (pNodeParams == nullptr || pNodeParams->fn == nullptr)
        return noted(cudaErrorInvalidValue);
    Work work;
    work.kind = Work::Kind::Host;
    work.host = {pNodeParams->fn, pNodeParams->userData};
    return noted(add({pGraphNode, graph, pDependencies, numDependencies}, std::move(work)));
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* pGraphNode, cudaGraph_t graph,
    const cudaGraphNode_t* pDependencies, std::size_t numDependencies, cudaGraph_t childGraph)
{
    if (!isGraph(graphOf(childGraph)))
        return noted(cudaErrorInvalidValue);
    Work work;
    work.kind = Work::Kind::Graph;
    work.graph = graphOf(childGraph)->clone();
    return noted(add({pGraphNode, graph, pDependencies, numDependencies}, std::move(work)));
}

cudaError_t cudaGraphAddEmptyNode(
    cudaGraphNode_t* pGraphNode, cudaGraph_t graph, const cudaGraphNode_t* pDependencies, std::size_t numDependencies)
{
    return noted(add({pGraphNode, graph, pDependencies, numDependencies}, Work{}));
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* pGraphNode, cudaGraph_t graph,
    const cudaGraphNode_t* pDependencies, std::size_t numDependencies, cudaEvent_t event)
{
    return noted(add({pGraphNode, graph, pDependencies, numDependencies}, eventWork(Work::Kind::RecordEvent, event)));
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* pGraphNode, cudaGraph_t graph,
    const cudaGraphNode_t* pDependencies, std::size_t numDependencies, cudaEvent_t event)
{
    return noted(add({pGraphNode, graph, pDependencies, numDependencies}, eventWork(Work::Kind::WaitEvent, event)));
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* pGraph)
{
    const GraphNode* child = nodeOfKind(node, Work::Kind::Graph);
    if (child == nullptr || pGraph == nullptr)
        return noted(cudaErrorInvalidValue);
    *pGraph = reinterpret_cast<cudaGraph_t>(const_cast<Graph*>(child->work.graph.get()));
    return cudaSuccess;
}

/// The arguments are not known any more: how many bytes each has stands in packed code.
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* pNodeParams)
{
    const GraphNode* kernel = nodeOfKind(node, Work::Kind::Kernel);
    if (kernel == nullptr || pNodeParams == nullptr)
        return noted(cudaErrorInvalidValue);
    *pNodeParams = kernelParams(kernel->work.launch);
    return cudaSuccess;
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* pNodeParams)
{
    return noted(pNodeParams == nullptr ? static_cast<int>(cudaErrorInvalidValue)
                                        : replace(nodeOfKind(node, Work::Kind::Kernel), kernelWork(*pNodeParams)));
}

cudaError_t cudaGraphExecKernelNodeSetParams(
    cudaGraphExec_t hGraphExec, cudaGraphNode_t node, const cudaKernelNodeParams* pNodeParams)
{
    if (pNodeParams == nullptr)
        return noted(cudaErrorInvalidValue);
    return noted(replace(inExecutable(hGraphExec, node, Work::Kind::Kernel), kernelWork(*pNodeParams)));
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* pNodeParams)
{
    return noted(pNodeParams == nullptr ? static_cast<int>(cudaErrorInvalidValue)
                                        : replace(nodeOfKind(node, Work::Kind::Fill), fillWork(*pNodeParams)));
}

cudaError_t cudaGraphExecMemsetNodeSetParams(
    cudaGraphExec_t hGraphExec, cudaGraphNode_t node, const cudaMemsetParams* pNodeParams)
{
    if (pNodeParams == nullptr)
        return noted(cudaErrorInvalidValue);
    return noted(replace(inExecutable(hGraphExec, node, Work::Kind::Fill), fillWork(*pNodeParams)));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t hGraphExec, cudaGraphNode_t node, void* dst,
    const void* src, std::size_t count, cudaMemcpyKind /*kind*/)
{
    return noted(replace(inExecutable(hGraphExec, node, Work::Kind::Copy), bytesWork(dst, src, count)));
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* pNodeParams)
{
    const GraphNode* found = nodeOfKind(node, Work::Kind::Fill);
    if (found == nullptr || pNodeParams == nullptr)
        return noted(cudaErrorInvalidValue);
    const FillWork& fill = found->work.fill;
    *pNodeParams = {fill.destination, fill.pitch, fill.value, static_cast<unsigned>(fill.valueBytes),
        fill.width / fill.valueBytes, fill.height};
    return cudaSuccess;
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* pNodeParams)
{
    const GraphNode* host = nodeOfKind(node, Work::Kind::Host);
    if (host == nullptr || pNodeParams == nullptr)
        return noted(cudaErrorInvalidValue);
    *pNodeParams = {host->work.host.function, host->work.host.data};
    return cudaSuccess;
}

} // extern "C"
