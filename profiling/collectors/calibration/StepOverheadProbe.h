// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/Calibration.h"
#include "profiling/collectors/calibration/DeviceTimer.h"

#include <vector>

namespace headroom::collectors {

/// What ops cost on a host beside the time of their kernels: `speed.kernel_launch_seconds` of any op, and
/// `speed.autograd_seconds` of one that is recorded, its part of the backward pass included. Found in small transformer
/// layers, whose ops differ from one to the next: an op that is called again and again finds its code in the caches and
/// its branches predicted, one of a step does not. `rates`: those of the same device, for what the kernels take.
std::vector<protocol::CalibratedConstant> measureStepOverhead(
    const std::vector<protocol::CalibratedRates>& rates, const TimingEffort& effort);

} // namespace headroom::collectors
