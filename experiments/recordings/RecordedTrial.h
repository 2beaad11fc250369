// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/spec/ExperimentSpec.h"
#include "experiments/sweep/Sweep.h"

#include <string>

namespace headroom::experiments {

/// What makes a run of another program a trial of its own.
struct RecordedOrigin {
    std::string file; ///< name of what was recorded
    std::string content; ///< what it is told by
    std::string format;
    std::string device; ///< notation
    std::string allocator; ///< empty: PyTorch's own settings
    std::string name; ///< for its label
    std::string where; ///< for messages
};

/// Throws UsageError at `where` for what is no device.
PlannedTrial recordedTrial(const RecordedOrigin& origin);

/// What an experiment of such trials is stored with; `source` is the file that it was read from, if any.
ExperimentSpec recordedSpec(const std::string& name, const std::string& source);

} // namespace headroom::experiments
