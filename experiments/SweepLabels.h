// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/Sweep.h"

#include <vector>

namespace headroom::experiments {

/// Gives each trial its label: device, model, shapes and protocol where they vary among the trials and do not
/// follow from what is shown before them, then the techniques that are on ("baseline" for none), without what is
/// trained and by which optimizer where all trials agree in it.
void labelTrials(std::vector<PlannedTrial>& trials);

} // namespace headroom::experiments
