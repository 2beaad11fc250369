// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/confinement/Confinement.h"
#include "core/protocol/Json.h"
#include "core/protocol/WorkerRights.h"

#include <string>
#include <vector>

namespace headroom::worker {

/// The files that a worker with these rights may use: those that it was given, its spool folder, the libraries of
/// LibTorch and of the system, and of a GPU what its driver needs.
std::vector<confinement::FileRule> rulesFor(const protocol::WorkerRights& rights);

/// Gives up everything else (docs/worker-protocol.md, "What it may do"), unless HEADROOM_SANDBOX is `off`. Throws
/// UsageError for another value of that.
confinement::Confinement confineTo(const protocol::WorkerRights& rights);

/// For `describe`: `landlock`, `filtered`, `lacking`.
protocol::Json toJson(const confinement::Confinement& confinement);

/// What to say where CUDA cannot be used although there is a driver: the rules may be to blame. Empty where they are
/// not in force.
std::string remarkOnCuda(const confinement::Confinement& confinement);

} // namespace headroom::worker
