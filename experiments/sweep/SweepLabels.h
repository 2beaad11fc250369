// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/sweep/Sweep.h"

#include <vector>

namespace headroom::experiments {

/// The techniques that are on in each configuration ("baseline" for none). What is trained, and by which optimizer, is
/// left out where several configurations all agree in it.
std::vector<std::string> techniqueLabels(const std::vector<const config::Configuration*>& configurations);

/// Gives each trial its label: device, model, shapes and protocol where they vary among the trials and do not
/// follow from what is shown before them, then `techniqueLabels`.
void labelTrials(std::vector<PlannedTrial>& trials);

} // namespace headroom::experiments
