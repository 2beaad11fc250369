// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/comparison/TrialPairs.h"
#include "experiments/report/ComparedRuns.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom::experiments {

/// A run that is compared, and what the user calls it.
struct NamedRun {
    std::string name;
    ComparedRun run;
};

/// What a report says of runs beside the first of them: for each result of the first run that has partners one entry
/// with all of these, at most six, changes first. Reads traces. Throws FileError.
std::vector<report::ComparedRuns> comparedSections(
    const std::vector<NamedRun>& runs, std::optional<figures::Alignment> wish);

} // namespace headroom::experiments
