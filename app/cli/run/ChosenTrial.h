// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/run/RunSession.h"
#include "experiments/sweep/Sweep.h"

#include <string>

namespace headroom::cli {

/// The one trial of a spec that a command is about: the only one that can work, or else the one that `name` says: an
/// id, the beginning of one, a label ("checkpointing all"), or the end of one. Throws UsageError for none or several,
/// with the ids and labels that there are.
experiments::PlannedTrial chooseTrialOf(const RunArguments& arguments, const std::string& name);

} // namespace headroom::cli
