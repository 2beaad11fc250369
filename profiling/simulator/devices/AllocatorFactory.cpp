// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/devices/AllocatorFactory.h"

#include "profiling/simulator/CachingAllocator.h"
#include "profiling/simulator/ExactAllocator.h"
#include "profiling/simulator/devices/Fit.h"

namespace headroom::simulator {

std::unique_ptr<SimulatedAllocator> makeAllocator(
    const SimulatedDevice& simulated, std::string_view allocConf, Bytes outsideTorchBytes)
{
    const DeviceCapacity capacity = capacityOf(simulated.device, outsideTorchBytes);
    const AllocatorSettings settings =
        parseAllocatorSettings(allocConf, "PYTORCH_ALLOC_CONF", simulated.runtime.allocatorSettings());
    if (simulated.device.kind == AllocatorKind::Exact)
        return std::make_unique<ExactAllocator>(capacity.limitBytes);
    return std::make_unique<CachingAllocator>(capacity, settings);
}

} // namespace headroom::simulator
