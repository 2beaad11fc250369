// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/Calibration.h"

namespace headroom::collectors {

/// What this process pays for memory that it has not touched yet, and how much of what it frees it keeps: the
/// constants of [speed.fresh_memory]. Page faults are counted by the kernel. To be called before anything changes the
/// settings of the C library's allocator.
std::vector<protocol::CalibratedConstant> measureFreshMemory(protocol::CalibrationEffort effort);

} // namespace headroom::collectors
