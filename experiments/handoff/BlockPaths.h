// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"

#include <string>
#include <vector>

namespace headroom::experiments {

/// The lists of modules that hold a model's blocks, in the order in which they run: {"transformer_blocks"},
/// {"transformer_blocks", "single_transformer_blocks"}. Empty if the names of the layers do not tell.
std::vector<std::string> blockListPaths(const config::Configuration& configuration);

/// The number of blocks of the model that a configuration runs.
int blockCountOf(const config::Configuration& configuration);

} // namespace headroom::experiments
