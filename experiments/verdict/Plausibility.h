// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/results/TrialResult.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace headroom::experiments {

/// Operations per second that a device cannot exceed with any data type; nullopt if unknown.
using PeakFlops = std::function<std::optional<double>(const std::string& device)>;

/// Adds to the results of a sweep the flags that can be found only from the whole sweep: `implausible` and `no_effect`,
/// each with its reason in `flag_reasons` (docs/measuring.md lists the rules). Depends on the results alone: the same
/// results give the same flags whenever they are read, and a second call adds nothing. Unfinished trials are skipped.
void applyPlausibility(SweepResults& results, const PeakFlops& peakFlops = {});

/// Measured trials whose speeds contradict each other, by index: these should be measured again before they are
/// believed or flagged, because the load from other processes on the machine changes from one process to the next.
std::vector<std::size_t> contradictingTrials(const SweepResults& results);

} // namespace headroom::experiments
