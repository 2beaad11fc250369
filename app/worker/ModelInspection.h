// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"
#include "core/protocol/RepeatResult.h"

namespace headroom::worker {

/// What can be said of an imported model without running it: the operators of its graph that no simulated device can
/// run, forward or backward, each with its first place, and those that are counted as one pass over their tensors.
protocol::RepeatResult inspected(const config::Trial& trial);

} // namespace headroom::worker
