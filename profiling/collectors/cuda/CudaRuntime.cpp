// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cuda/CudaRuntime.h"

#include "core/base/Error.h"
#include "core/tensor/DeviceContext.h"
#include "core/tensor/Torch.h"
#include "profiling/collectors/TrialClock.h"
#include "profiling/collectors/cupti/StampClock.h"

#include <cuda_runtime_api.h>
#include <cupti.h>

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

namespace headroom::collectors {
namespace {

constexpr const char* kValid = "a device that `headroom doctor` lists, or cpu, or sim:NAME";

CudaDevice describeDevice(int index)
{
    cudaDeviceProp properties{};
    CudaDevice device;
    device.index = index;
    if (cudaGetDeviceProperties(&properties, index) == cudaSuccess) {
        device.name = properties.name;
        device.totalBytes = static_cast<Bytes>(properties.totalGlobalMem);
        device.capabilityMajor = properties.major;
        device.capabilityMinor = properties.minor;
    }
    return device;
}

std::string noDeviceReason(cudaError_t error, int driverVersion)
{
    if (error == cudaErrorStubLibrary)
        return "the CUDA driver library that is found is the toolkit's stub, which cannot run anything";
    if (driverVersion == 0)
        return "no NVIDIA driver is loaded on this machine";
    if (error == cudaSuccess)
        return "the NVIDIA driver lists no GPU";
    return cudaGetErrorString(error);
}

// libtorch_cuda is loaded only here, so that a machine without a GPU needs none of its dependencies.
void loadTorchCuda(const std::string& where)
{
    if (const std::string problem = torchCudaProblem(); !problem.empty())
        throw TrialError(problem, where, "`scripts/bootstrap --cuda` installs the CUDA libraries");
}

// Calls of the runtime that name no device are about the thread's current one.
void makeCurrent(int index)
{
    if (const cudaError_t error = cudaSetDevice(index); error != cudaSuccess)
        throw TrialError(cudaGetErrorString(error), "cuda:" + std::to_string(index), kValid);
}

} // namespace

CudaAvailability cudaAvailability()
{
    CudaAvailability availability;
    cudaRuntimeGetVersion(&availability.runtimeVersion);
    cudaDriverGetVersion(&availability.driverVersion);
    cuptiGetVersion(&availability.cuptiVersion);
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess || count == 0)
        availability.reason = noDeviceReason(error, availability.driverVersion);
    else
        for (int index = 0; index < count; ++index)
            availability.devices.push_back(describeDevice(index));
    return availability;
}

std::string torchCudaProblem()
{
    if (dlopen("libtorch_cuda.so", RTLD_NOW | RTLD_GLOBAL) != nullptr)
        return {};
    return std::string("LibTorch's CUDA library cannot be loaded: ") + dlerror();
}

CudaDeviceNames namesOf(int index)
{
    CudaDeviceNames names;
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, index) == cudaSuccess)
        names.uuid = uuidText(properties.uuid.bytes);
    std::array<char, 32> busId{};
    if (cudaDeviceGetPCIBusId(busId.data(), static_cast<int>(busId.size()), index) == cudaSuccess)
        names.pciBusId = busId.data();
    return names;
}

std::string uuidText(const char (&bytes)[16])
{
    constexpr std::array kGroupEnds{3, 5, 7, 9};
    std::string text = "GPU-";
    for (int index = 0; index < 16; ++index) {
        constexpr const char* kDigits = "0123456789abcdef";
        const auto byte = static_cast<unsigned char>(bytes[index]);
        text += kDigits[byte / 16];
        text += kDigits[byte % 16];
        if (std::find(kGroupEnds.begin(), kGroupEnds.end(), index) != kGroupEnds.end())
            text += '-';
    }
    return text;
}

void requireCudaDevice(int index)
{
    const std::string where = "cuda:" + std::to_string(index);
    const CudaAvailability availability = cudaAvailability();
    if (!availability.reason.empty())
        throw TrialError(availability.reason, where, kValid);
    if (index >= static_cast<int>(availability.devices.size()))
        throw TrialError("this machine has " + std::to_string(availability.devices.size()) + " GPU(s)", where, kValid);
}

// LibTorch decides once in a process whether it has CUDA: when anything asks for an accelerator for the first time, as
// seeding its generators and every backward pass do.
void requireCudaInLibTorch(bool hasCuda, const std::string& where)
{
    if (!hasCuda)
        throw TrialError("this process has run LibTorch before its CUDA library was loaded, and LibTorch does not look "
                         "for CUDA again",
            where, "a fresh worker for each trial on cuda:N");
}

namespace {

// The loader passes over what it cannot preload, and the real runtime would be asked then.
void requireSubstitute(const std::string& where)
{
    Dl_info info{};
    const char* preloaded = std::getenv("LD_PRELOAD");
    const bool isFound = ::dladdr(reinterpret_cast<void*>(&cudaGetDeviceProperties), &info) != 0 && preloaded != nullptr
        && std::string_view(preloaded).find(info.dli_fname) != std::string_view::npos;
    if (!isFound)
        throw TrialError("the substitute for the CUDA runtime was not loaded before this worker", where,
            "a worker that `headroom run` starts");
}

// "2.11.0+cu130" is "torch-2.11".
std::string runtimeOfTorch()
{
    const std::string version = tensor::torchVersion();
    return "torch-" + version.substr(0, version.find('.', version.find('.') + 1));
}

std::int64_t cardNanoseconds()
{
    std::uint64_t now = 0;
    cuptiGetTimestamp(&now);
    return static_cast<std::int64_t>(now);
}

} // namespace

void openRehearsedCard(const std::string& runtime, const std::string& where)
{
    requireSubstitute(where);
    if (const std::string own = runtimeOfTorch(); own != runtime)
        throw TrialError("found " + runtime + ", and the LibTorch that runs is " + own, where,
            own + ", or a LibTorch of that version (HEADROOM_TORCH_DIR when Headroom is built)");
    // Before anything is recorded: from here on the card's time lies on the axis of the steady clock.
    cuptiActivityRegisterTimestampCallback(cupti::monotonicNs);
    TrialClock::follow(cardNanoseconds);
}

void openCudaDevice(int index)
{
    const std::string where = "cuda:" + std::to_string(index);
    requireCudaDevice(index);
    loadTorchCuda(where);
    requireCudaInLibTorch(at::globalContext().hasCUDA(), where);
    makeCurrent(index);
    at::globalContext().lazyInitDevice(c10::DeviceType::CUDA);
    // Only convolutions would compute in TF32 by default.
    at::globalContext().setAllowTF32CuDNN(false);
}

} // namespace headroom::collectors
