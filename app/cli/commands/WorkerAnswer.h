// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/WorkerMessages.h"

#include <optional>
#include <string>

namespace headroom::cli {

/// What headroom-worker reports about itself and the machine, or why there is no answer.
struct WorkerAnswer {
    std::optional<protocol::WorkerDescription> description;
    std::string problem; ///< empty if there is a description
};

/// Starts a worker and asks it; waits at most half a minute.
WorkerAnswer askWorker();

/// Why nothing can be rehearsed on this machine: a worker with a card that is not there was asked. Empty if it can.
std::string rehearsalProblem();

} // namespace headroom::cli
