// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/results/OrderedJson.h"

#include <string>

namespace headroom::experiments {

/// Adds a flag and why it was raised to a trial record; nothing happens where the same is there already.
void addFlag(OrderedJson& record, const std::string& flag, const std::string& reason);

} // namespace headroom::experiments
