// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/rehearsal/api/dnn/CudnnGraph.h"

#include <cstdint>
#include <optional>

/// The real cuDNN, asked about a card that is not there: from 9.8 on its heuristics and plans take a description of a
/// device in the place of a handle. It is opened in a namespace of its own, so that it sees nothing of the substitute,
/// when a graph first asks for engines. It computes nothing.
namespace headroom::rehearsal::dnn::original {

/// True where the process has loaded a cuDNN that can be asked. HEADROOM_CARD_CUDNN=0 says no.
bool isThere();

struct Answer {
    int status = 0; ///< as the library gave it
    bool needsDevice = false; ///< it failed for want of a driver, which says nothing about the card
    std::optional<std::int64_t> workspace;
};

/// Fills the results of heuristics: the engine configurations in the library's order, with their workspaces. False
/// where the library cannot be asked about this graph.
bool findEngines(Content& heuristics);

/// What a plan of this configuration takes.
Answer makePlan(Content& configuration);

/// How many engines there are for a graph.
std::optional<std::int64_t> engineCount(Content& graph);

} // namespace headroom::rehearsal::dnn::original
