// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/Calibration.h"
#include "profiling/collectors/calibration/CalibrationListener.h"

namespace headroom::collectors {

/// What this process pays for memory that it has not touched yet, and how much of what it frees it keeps: the
/// constants of [speed.fresh_memory]. Page faults are counted by the kernel. To be called before anything changes the
/// settings of the C library's allocator.
std::vector<protocol::CalibratedConstant> measureFreshMemory(protocol::CalibrationEffort effort);

/// Measures what a profile of the device states: memory, rates by kind of op, type and size, overheads, the host link.
/// Takes the whole process: allocator settings and clocks are changed for good. Throws TrialError for a device that
/// cannot be measured, UsageError for one that is simulated, and Cancelled.
protocol::Calibration calibrate(const protocol::CalibrationRequest& request, CalibrationListener& listener);

} // namespace headroom::collectors
