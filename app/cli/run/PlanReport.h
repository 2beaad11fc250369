// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output/Report.h"
#include "app/cli/run/RunPlan.h"

namespace headroom::cli {

/// What `--dry-run` prints: which trials a run would have, with their ids, and which it would skip and why.
Report planReport(const RunPlan& plan);

} // namespace headroom::cli
