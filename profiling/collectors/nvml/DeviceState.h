// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/collectors/nvml/NvmlLibrary.h"
#include "profiling/trace/DeviceRecords.h"

namespace headroom::collectors::nvml {

/// NVML's figures for a device right now, `timeNs` not set. A figure whose call is missing, not supported or not
/// permitted is nullopt. Bytes are split into those of `processId` and those of others only where NVML's list has that
/// process: in a container NVML may list processes by ids that mean nothing inside.
trace::DeviceSample stateOf(const Calls& calls, DeviceHandle* device, unsigned processId);

} // namespace headroom::collectors::nvml
