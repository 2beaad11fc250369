// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/run/RunSession.h"
#include "experiments/sweep/Sweep.h"

#include <string>

namespace headroom::cli {

/// The one trial that `headroom fit` is about.
struct FitTrial {
    std::string experiment; ///< name
    experiments::PlannedTrial planned;
};

/// Reads and checks the arguments as `headroom run` does. Throws UsageError, with what is valid, where they leave
/// several trials, one that cannot work, or a device whose memory is not known.
FitTrial fitTrialOf(const RunArguments& arguments);

} // namespace headroom::cli
