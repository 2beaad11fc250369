// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/devices/Fit.h"

#include <algorithm>

namespace headroom::simulator {

Fit fit(const MemoryNeed& need, Bytes usableBytes)
{
    const Bytes headroomBytes = usableBytes - need.totalBytes();
    return {headroomBytes >= 0, headroomBytes};
}

DeviceCapacity capacityOf(const DeviceProfile& device, Bytes outsideTorchBytes)
{
    if (!device.memory)
        return {std::max(Bytes{0}, kUnlimitedBytes - outsideTorchBytes), kUnlimitedBytes, device.segmentAddresses};
    const Bytes usableBytes = device.memory->usableBytes.value;
    const Bytes limitBytes = usableBytes - device.memory->contextBytes.value - outsideTorchBytes;
    return {std::max(Bytes{0}, limitBytes), usableBytes, device.segmentAddresses};
}

} // namespace headroom::simulator
