// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/WorkerMessages.h"
#include "core/protocol/WorkerRights.h"

namespace headroom::experiments {

/// What a worker needs for a request: the archive, the weights, the profile and the tensors that it names, the folder
/// of its spool, and the GPU where it measures or looks for one.
protocol::WorkerRights neededRights(const protocol::WorkerRequest& request);

} // namespace headroom::experiments
