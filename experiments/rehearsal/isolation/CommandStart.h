// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/rehearsal/isolation/Launch.h"

namespace headroom::experiments {

/// What a forked process does to start the command: it makes the namespaces and mounts, forks the command into a user
/// namespace of its own, in which none of that can be taken back, reports its number and ends, so that the command is
/// its parent's. What fails is reported. `reports` is closed when the command runs.
[[noreturn]] void startCommand(Launch& launch, int reports);

} // namespace headroom::experiments
