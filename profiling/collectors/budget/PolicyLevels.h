// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/techniques/BlockPolicy.h"
#include "profiling/collectors/budget/MarkedBlocks.h"

#include <vector>

namespace headroom::collectors {

/// Policies worth a choice for a block with these calls, the one that keeps least first: the block recomputed as a
/// whole; then with ever more results kept, those first that save most time for each byte; with all of them kept; and
/// the block not checkpointed. Blocks with equal calls get equal policies.
std::vector<config::BlockPolicy> policyLevels(const std::vector<SavableCall>& calls);

} // namespace headroom::collectors
