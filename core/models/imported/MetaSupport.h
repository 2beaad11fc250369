// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/archive/ExportedGraph.h"

#include <string>
#include <vector>

namespace headroom::models {

/// Operators of a graph and its subgraphs that have no kernel for tensors without data, so that no simulated device can
/// run them: "aten::flip in model.layers.0 (model.py:12)", each operator once with its first place. Operators that
/// LibTorch does not have at all are not among them.
std::vector<std::string> opsWithoutMeta(const archive::Graph& graph);

} // namespace headroom::models
