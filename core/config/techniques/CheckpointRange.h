// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/TechniqueDescriptor.h"

namespace headroom::config {

/// Every policy for the model: any number of blocks left as they are, the last ones or the first ones or spread, or the
/// results of ops kept; in training only.
///
/// What is known of them: a policy that checkpoints all that another one does, and more, allocates no more and takes no
/// less time. If all blocks are alike, that also holds between any two sets if the larger one leaves at least two
/// blocks fewer as they are: two, as where a set lies decides what is held while the last block is recomputed.
TechniqueRange checkpointRange(const ModelContext& context);

} // namespace headroom::config
