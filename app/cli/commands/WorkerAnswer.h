// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/WorkerMessages.h"

#include <optional>
#include <string>

namespace headroom::cli {

/// What headroom-worker says of itself and the machine, or why there is no answer.
struct WorkerAnswer {
    std::optional<protocol::WorkerDescription> description;
    std::string problem; ///< empty when there is a description
};

/// Starts a worker and asks; waits half a minute at most.
WorkerAnswer askWorker();

} // namespace headroom::cli
