// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/sweep/Sweep.h"

#include <functional>
#include <string>
#include <vector>

namespace headroom::experiments {

/// How a trial sets a technique, by its key.
using SettingOf = std::function<const config::TechniqueSetting&(const std::string& key)>;

/// The techniques that are on in each trial ("baseline" for none). What is trained, and by which optimizer, is
/// left out where several trials all agree in it.
std::vector<std::string> techniqueLabels(const std::vector<SettingOf>& trials);

/// Gives each trial its label: device, model, shapes and protocol where they vary among the trials and do not
/// follow from what is shown before them, then `techniqueLabels`.
void labelTrials(std::vector<PlannedTrial>& trials);

} // namespace headroom::experiments
