// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/rehearsal/api/dnn/CudnnGraph.h"

#include <cstdint>

namespace headroom::rehearsal::dnn {

/// Fills the results of heuristics, from the real library where it can be asked, else with one engine of our own.
void findEngines(Content& heuristics);

/// Decides the workspace of a plan whose configuration is set. A cudnnStatus_t: engines that the real library refuses
/// for this card are refused here.
int makePlan(Content& plan);

std::int64_t engineCount(Content& graph);

/// The workspace of a graph where nobody can be asked: what is counted, and how much more the library may take.
struct WorkspaceRange {
    std::int64_t counted = 0;
    std::int64_t more = 0;
};
WorkspaceRange estimatedWorkspace(const Content& graph);

} // namespace headroom::rehearsal::dnn
