// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/run/RunSession.h"
#include "experiments/sweep/Sweep.h"

#include <string>

namespace headroom::cli {

/// The one trial for which `headroom fit` or `headroom plan` searches changes.
struct FitTrial {
    std::string experiment; ///< name
    experiments::PlannedTrial planned;
    std::string task{}; ///< what it does, in one line, and why it trains where nobody said so
    std::string trainer{}; ///< whose settings alone are tried; empty: all
};

/// Reads and checks the arguments as `headroom run` does. Throws UsageError, with what is valid, if they leave several
/// trials, a trial that cannot work, or a device whose memory is not known.
/// `command` is who asks, for messages.
FitTrial fitTrialOf(const RunArguments& arguments, const std::string& command = "fit");

} // namespace headroom::cli
