// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/rehearsal/streams/Graphs.h"

#include <driver_types.h>

namespace headroom::rehearsal {

inline Graph* graphOf(cudaGraph_t handle)
{
    return reinterpret_cast<Graph*>(handle);
}

inline GraphNode* nodeOf(cudaGraphNode_t handle)
{
    return reinterpret_cast<GraphNode*>(handle);
}

inline cudaGraphNode_t handleOf(GraphNode* node)
{
    return reinterpret_cast<cudaGraphNode_t>(node);
}

} // namespace headroom::rehearsal
