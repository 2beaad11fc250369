// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/results/TrialResult.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace headroom::experiments {

/// Operations per second that a device cannot exceed in any arithmetic; nothing where it is not known.
using PeakFlops = std::function<std::optional<double>(const std::string& device)>;

/// Adds to the results of a sweep the flags that only the whole sweep can tell: `implausible` and `no_effect`, each
/// with its reason in `flag_reasons` (docs/measuring.md lists the rules). Pure over the results: the same results give
/// the same flags whenever they are read, and a second call adds nothing. Trials that are not finished are passed over.
void applyPlausibility(SweepResults& results, const PeakFlops& peakFlops = {});

/// Measured trials whose speeds contradict each other, by index: worth measuring once more before anyone believes or
/// flags them, as neighbours on the machine change from one process to the next.
std::vector<std::size_t> contradictingTrials(const SweepResults& results);

} // namespace headroom::experiments
