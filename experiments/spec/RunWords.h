// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"

#include <string>
#include <vector>

namespace headroom::experiments {

/// The words of a `headroom run` that runs exactly this trial, whatever spec it came from: flags for all that differs
/// from the defaults, and step and number format always. shellCommand makes a line of them.
std::vector<std::string> runWords(const config::Trial& trial);

} // namespace headroom::experiments
