// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/calibration/CudaCalibration.h"

#include "core/base/Error.h"
#include "profiling/collectors/calibration/CudaTimer.h"
#include "profiling/collectors/calibration/ProbeRun.h"
#include "profiling/collectors/cuda/CudaRuntime.h"
#include "profiling/collectors/nvml/DeviceState.h"

#include <c10/cuda/CUDACachingAllocator.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <unistd.h>

namespace headroom::collectors {
namespace {

using protocol::CalibratedConstant;
using Kind = CalibratedConstant::Kind;

constexpr Bytes kCopied = 256 * kMiB;

[[noreturn]] void refuseDevice(int index, const std::string& problem)
{
    throw TrialError(problem, "cuda:" + std::to_string(index));
}

struct DriverBytes {
    Bytes free = 0;
    Bytes total = 0;
};

DriverBytes driverBytes(int index)
{
    std::size_t free = 0;
    std::size_t total = 0;
    if (cudaSetDevice(index) != cudaSuccess || cudaMemGetInfo(&free, &total) != cudaSuccess)
        refuseDevice(index, "the device does not tell its memory");
    return {static_cast<Bytes>(free), static_cast<Bytes>(total)};
}

// What NVML says of the device; figures are nullopt where there is no NVML.
trace::DeviceSample stateByNvml(int index)
{
    const nvml::NvmlLibrary library;
    if (!library.problem().empty())
        return {};
    const CudaDeviceNames names = namesOf(index);
    nvml::DeviceHandle* const device = library.device(names.uuid, names.pciBusId);
    if (device == nullptr)
        return {};
    return nvml::stateOf(library.calls(), device, static_cast<unsigned>(getpid()));
}

CalibratedConstant countOf(const char* key, std::int64_t value, const char* how)
{
    return {key, static_cast<double>(value), Kind::Count, std::nullopt, how};
}

// After everything has run: kernels are loaded when they are first called, and belong to the context.
Bytes contextBytes(int index, const trace::DeviceSample& before)
{
    c10::cuda::CUDACachingAllocator::emptyCache();
    const auto stats = c10::cuda::CUDACachingAllocator::getDeviceStats(static_cast<c10::DeviceIndex>(index));
    const Bytes reserved =
        stats.reserved_bytes[static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE)].current;
    const trace::DeviceSample now = stateByNvml(index);
    if (now.usedBytes && before.usedBytes)
        return *now.usedBytes - *before.usedBytes - reserved;
    const DriverBytes driver = driverBytes(index);
    return driver.total - driver.free - reserved;
}

std::vector<CalibratedConstant> memoryConstants(int index, const trace::DeviceSample& before)
{
    const Bytes usable = driverBytes(index).total;
    const bool hasNvml = before.totalBytes && before.usedBytes;
    const Bytes context = std::max<Bytes>(contextBytes(index, before), kMiB);
    return {countOf("memory.total_bytes", std::max(before.totalBytes.value_or(usable), usable),
                hasNvml ? "NVML" : "cudaMemGetInfo, as there is no NVML"),
        countOf("memory.usable_bytes", usable, "cudaMemGetInfo"),
        countOf("memory.context_bytes", context,
            hasNvml ? "used bytes by NVML after all measurements, less those before the process opened the device"
                    : "used bytes by cudaMemGetInfo after all measurements, other processes' included")};
}

std::vector<CalibratedConstant> computeConstants(const cudaDeviceProp& properties)
{
    return {countOf("compute.multiprocessors", properties.multiProcessorCount, "cudaGetDeviceProperties"),
        countOf(
            "compute.threads_per_multiprocessor", properties.maxThreadsPerMultiProcessor, "cudaGetDeviceProperties")};
}

// One direction, from the host's first byte to the device's last.
CalibratedConstant linkConstant(const char* key, c10::Device device, simulator::HostLink link, int batches)
{
    const bool isPinned = link == simulator::HostLink::Pinned;
    const auto options = at::TensorOptions().dtype(c10::kByte);
    const at::Tensor host = at::empty({kCopied}, options.pinned_memory(isPinned)).zero_();
    const at::Tensor target = at::empty({kCopied}, options.device(device));
    std::vector<double> seconds;
    for (int batch = -1; batch < batches; ++batch) { // the first one is not counted
        cudaDeviceSynchronize();
        const auto begin = std::chrono::steady_clock::now();
        target.copy_(host, isPinned);
        cudaDeviceSynchronize();
        if (batch >= 0)
            seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    const Timing timing = timingOf(std::move(seconds));
    return {key, static_cast<double>(kCopied) / timing.seconds, Kind::Real, timing.spread,
        isPinned ? "256 MiB of pinned memory to the device" : "256 MiB of pageable memory to the device"};
}

CalibratedConstant launchConstant(CudaTimer& timer, c10::Device device, int batches)
{
    const at::Tensor small = at::zeros({16}, at::TensorOptions().device(device));
    const Timing timing = timer.hostTime([&] { small.add_(1); }, batches);
    return {"speed.kernel_launch_seconds", timing.seconds, Kind::Real, timing.spread,
        "the host's time of add_ on 16 elements"};
}

std::vector<c10::ScalarType> typesOf(const cudaDeviceProp& properties)
{
    if (properties.major >= 8)
        return {c10::kFloat, c10::kBFloat16, c10::kHalf};
    return {c10::kFloat, c10::kHalf};
}

void append(std::vector<CalibratedConstant>& to, std::vector<CalibratedConstant> more)
{
    std::ranges::move(more, std::back_inserter(to));
}

} // namespace

protocol::Calibration calibrateCuda(int index, protocol::CalibrationEffort effort, CalibrationListener& listener)
{
    requireCudaDevice(index);
    const trace::DeviceSample before = stateByNvml(index);
    openCudaDevice(index);
    cudaDeviceProp properties{};
    if (cudaSetDevice(index) != cudaSuccess || cudaGetDeviceProperties(&properties, index) != cudaSuccess)
        refuseDevice(index, "the device does not tell its properties");
    const c10::Device device(c10::kCUDA, static_cast<c10::DeviceIndex>(index));
    const int batches = timingEffort(effort).batches;
    protocol::Calibration calibration{
        .allocator = "caching", .hardware = properties.name, .capability = {}, .torchVersion = {}};
    calibration.capability = std::to_string(properties.major) + "." + std::to_string(properties.minor);
    {
        CudaTimer timer(device);
        calibration.rates = measureRates({device, typesOf(properties), effort}, timer, listener);
        calibration.constants = computeConstants(properties);
        append(calibration.constants, constantsOf(calibration.rates));
        calibration.constants.push_back(launchConstant(timer, device, batches));
    }
    calibration.constants.push_back(
        linkConstant("speed.host_link_bytes_per_second", device, simulator::HostLink::Pinned, batches));
    calibration.constants.push_back(
        linkConstant("speed.pageable_link_bytes_per_second", device, simulator::HostLink::Pageable, batches));
    append(calibration.constants, memoryConstants(index, before));
    return calibration;
}

} // namespace headroom::collectors
