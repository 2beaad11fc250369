// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/rehearsal/isolation/Launch.h"

namespace headroom::experiments {

/// Ends of pipes between us and the process that watches over a command.
struct GuardianPipes {
    int orders = -1; ///< read: when nobody holds the other end any more, all is ended, so also when we are killed
    int reports = -1; ///< written
};

/// What the process that watches over a command does, right after it was forked with all signals blocked: it starts the
/// command, and when that ends or the orders end, kills all that descends from it, whatever session it is in, removes
/// what was discarded, and ends. It allocates nothing.
[[noreturn]] void watchOver(Launch& launch, const GuardianPipes& pipes);

} // namespace headroom::experiments
