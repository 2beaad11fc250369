// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output/Report.h"
#include "experiments/recordings/WhatIf.h"
#include "profiling/recordings/Recording.h"

#include <string>

namespace headroom::cli {

/// What `headroom trace replay` prints. `subject`: the file or trial that was replayed.
Report replayReport(
    const experiments::WhatIfAnswer& answer, const recordings::Recording& recording, const std::string& subject);

} // namespace headroom::cli
