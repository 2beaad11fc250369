// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"

#include <string>
#include <vector>

namespace headroom::experiments {

/// One setting that a trial asks for: its path in a spec and its value as text.
struct AskedSetting {
    std::string path;
    std::string notation;
};

/// The settings that whoever runs the trial elsewhere has to know: the model and its changed fields, the step with its
/// number format and shapes, the techniques that are on with their changed options, and whatever else differs from its
/// default. In `train` the optimizer is among them in any case.
std::vector<AskedSetting> askedSettings(const config::Trial& trial);

} // namespace headroom::experiments
