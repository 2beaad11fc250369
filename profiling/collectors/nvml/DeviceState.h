// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/collectors/nvml/NvmlLibrary.h"
#include "profiling/trace/DeviceRecords.h"

namespace headroom::collectors::nvml {

/// What NVML says of a device right now, `timeNs` not set. What it does not tell (a call that is missing, not supported
/// or not permitted) is nothing. Which bytes are of `processId` and which of others is said only where the list has
/// that process: in a container NVML may name processes by numbers that mean nothing inside.
trace::DeviceSample stateOf(const Calls& calls, DeviceHandle* device, unsigned processId);

} // namespace headroom::collectors::nvml
