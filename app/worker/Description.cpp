// SPDX-License-Identifier: Apache-2.0
#include "app/worker/Description.h"

#include "app/worker/WorkerRules.h"
#include "core/config/Installation.h"
#include "core/tensor/DeviceContext.h"
#include "profiling/collectors/cuda/CaptureLevel.h"
#include "profiling/collectors/cuda/CudaRuntime.h"

#include <cstdlib>

namespace headroom::worker {
namespace {

protocol::Json deviceList(const collectors::CudaAvailability& cuda)
{
    protocol::Json devices = protocol::Json::array();
    for (const collectors::CudaDevice& device : cuda.devices)
        devices.push_back({{"name", "cuda:" + std::to_string(device.index)}, {"title", device.name},
            {"total_bytes", device.totalBytes},
            {"compute_capability",
                std::to_string(device.capabilityMajor) + "." + std::to_string(device.capabilityMinor)}});
    return devices;
}

protocol::Json collectorList(const std::vector<collectors::Capability>& capabilities)
{
    protocol::Json list = protocol::Json::array();
    for (const collectors::Capability& capability : capabilities)
        list.push_back({{"name", capability.name}, {"tells", capability.tells}, {"available", capability.isAvailable()},
            {"reason", capability.reason}, {"version", capability.version}});
    return list;
}

protocol::Json captureLevel(const std::vector<collectors::Capability>& capabilities)
{
    const collectors::CaptureLevel level = collectors::captureLevelOf(capabilities);
    return {{"name", toText(level)}, {"meaning", meaningOf(level)}};
}

} // namespace

protocol::WorkerDescription description(Detail detail, const confinement::Confinement& confinement)
{
    protocol::WorkerDescription description;
    description.headroomVersion = config::version();
    description.torchVersion = tensor::torchVersion();
    if (detail == Detail::Brief)
        return description;
    const collectors::CudaAvailability cuda = collectors::cudaAvailability();
    description.cudaReason = cuda.reason;
    if (!cuda.reason.empty())
        description.cudaReason += remarkOnCuda(confinement);
    // Of a card that is not there the question is whether LibTorch finds its libraries.
    if (cuda.reason.empty() && std::getenv("HEADROOM_CARD") != nullptr)
        description.cudaReason = collectors::torchCudaProblem();
    description.cudaUsable = description.cudaReason.empty();
    const std::vector<collectors::Capability> capabilities = collectors::capabilities(cuda);
    description.details = {{"cuda_runtime_version", cuda.runtimeVersion}, {"cuda_driver_version", cuda.driverVersion},
        {"cupti_version", cuda.cuptiVersion}, {"cuda_devices", deviceList(cuda)}, {"cpu_threads", tensor::cpuThreads()},
        {"cpu_capability", tensor::cpuCapability()}, {"collectors", collectorList(capabilities)},
        {"capture", captureLevel(capabilities)}, {"confinement", toJson(confinement)}};
    return description;
}

} // namespace headroom::worker
