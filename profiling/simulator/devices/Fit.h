// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "profiling/simulator/DeviceMemory.h"
#include "profiling/simulator/profiles/DeviceProfile.h"

namespace headroom::simulator {

/// The memory that a process needs on a device.
struct MemoryNeed {
    Bytes contextBytes = 0;
    Bytes reservedBytes = 0;
    Bytes outsideTorchBytes = 0; ///< used by the driver and libraries outside the caching allocator
    Bytes marginBytes = 0; ///< kept free on purpose

    Bytes totalBytes() const { return contextBytes + reservedBytes + outsideTorchBytes + marginBytes; }
};

struct Fit {
    bool fits = false;
    Bytes headroomBytes = 0; ///< what would be left; negative: the shortage
};

/// Compares a need with what the device offers to processes.
Fit fit(const MemoryNeed& need, Bytes usableBytes);

/// The memory available to a caching allocator on this device when others take `outsideTorchBytes`. A profile without
/// memory is unlimited except for what others take.
DeviceCapacity capacityOf(const DeviceProfile& device, Bytes outsideTorchBytes = 0);

} // namespace headroom::simulator
