// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "profiling/simulator/DeviceMemory.h"
#include "profiling/simulator/profiles/DeviceProfile.h"

namespace headroom::simulator {

/// What a process takes of a device.
struct MemoryNeed {
    Bytes contextBytes = 0;
    Bytes reservedBytes = 0;
    Bytes outsideTorchBytes = 0; ///< taken from the driver by others than the caching allocator
    Bytes marginBytes = 0; ///< kept free on purpose

    Bytes totalBytes() const { return contextBytes + reservedBytes + outsideTorchBytes + marginBytes; }
};

struct Fit {
    bool fits = false;
    Bytes headroomBytes = 0; ///< what would be left; negative: what is missing
};

/// Compares a need with what the device offers to processes.
Fit fit(const MemoryNeed& need, Bytes usableBytes);

/// What a caching allocator may take on this device when `outsideTorchBytes` are taken by others.
/// A profile without memory is unlimited, but for what others take.
DeviceCapacity capacityOf(const DeviceProfile& device, Bytes outsideTorchBytes = 0);

} // namespace headroom::simulator
