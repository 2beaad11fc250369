// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/imported/GraphRun.h"

#include <string>
#include <vector>

namespace headroom::models {

/// For each block the number of the first one whose nodes do the same: operators, constants, the order in which values
/// are made, read and let go, module calls, modes, layers in the place of nodes. Such blocks do the same with the same
/// inputs if their modules and parameters are alike, too.
std::vector<std::string> blockForms(const ExecutableGraph& graph);

} // namespace headroom::models
