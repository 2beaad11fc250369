// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/Report.h"
#include "experiments/Sweep.h"

namespace headroom::cli {

/// What `--dry-run` prints: which trials a run would have, with their ids, and which it would skip and why.
Report planReport(const std::string& experiment, const std::vector<experiments::PlannedTrial>& trials);

} // namespace headroom::cli
