// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/kernels/Kernels.h"

#include "profiling/rehearsal/Card.h"
#include "profiling/rehearsal/Devices.h"
#include "profiling/rehearsal/Ledger.h"
#include "profiling/rehearsal/Lock.h"
#include "profiling/rehearsal/kernels/Variables.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <driver_types.h>
#include <fcntl.h>
#include <unistd.h>
#include <unordered_map>
#include <unordered_set>

namespace headroom::rehearsal {

namespace {

struct Registration {
    Module* module;
    const void* hostFunction;
    const char* name;
};

/// Twenty thousand kernels are registered when PyTorch is loaded, and few are used: they are sorted when the first is.
struct Registry {
    std::vector<Registration> waiting;
    std::unordered_map<const void*, std::unique_ptr<Kernel>> byHost;
    std::unordered_set<const void*> handles;
    std::unordered_set<const Module*> modules;
    std::unordered_set<const Module*> toldMissing;

    void sort()
    {
        for (const Registration& one : waiting) {
            auto kernel = std::make_unique<Kernel>();
            kernel->name = one.name;
            kernel->module = one.module;
            handles.insert(kernel.get());
            byHost[one.hostFunction] = std::move(kernel);
        }
        waiting.clear();
    }
};

constinit Lock registryLock;

Registry& registered()
{
    static Registry& only = *new Registry;
    return only;
}

template <typename Work> auto withRegistry(Work work)
{
    const LockScope scope(registryLock);
    return work(registered());
}

const ModuleImage& imageOf(Module& module)
{
    if (module.parsed == nullptr)
        module.parsed = std::make_unique<ModuleImage>(module.image);
    return *module.parsed;
}

void tellMissingImage(const Kernel& kernel, const ModuleImage& image)
{
    std::fprintf(stderr, "headroom: rehearsal: there are no kernels for sm_%d%d here, only for %s (first wanted: %s)\n",
        card().capabilityMajor, card().capabilityMinor, image.architectures().c_str(), kernel.name);
}

/// PTX ends with a zero; other images know their length themselves, and their owner keeps them.
bool isText(const void* image)
{
    const auto first = *static_cast<const unsigned char*>(image);
    return first == '/' || first == '.' || first == '\n' || first == ' ' || first == '\t';
}

Module* newModule(const void* image, std::string owned)
{
    auto* module = new Module;
    module->owned = std::move(owned);
    module->image = module->owned.empty() ? image : module->owned.data();
    withRegistry([&](Registry& registry) { registry.modules.insert(module); });
    return module;
}

int requireSizes(const Kernel& kernel, const Launch& launch)
{
    const auto threads = std::size_t{launch.block.x} * launch.block.y * launch.block.z;
    const bool isTooWide =
        launch.block.z > 64 || launch.grid.x > 0x7fffffff || launch.grid.y > 65535 || launch.grid.z > 65535;
    if (threads == 0 || threads > kMostThreadsPerBlock || isTooWide || launch.grid.x == 0 || launch.grid.y == 0
        || launch.grid.z == 0)
        return cudaErrorInvalidConfiguration;
    const int allowed = kernel.mostDynamicBytes.load(std::memory_order_relaxed);
    const std::size_t most = allowed >= 0 ? std::max(static_cast<std::size_t>(allowed), card().sharedBytesPerBlock)
                                          : card().sharedBytesPerBlock;
    return launch.sharedBytes > most ? cudaErrorInvalidValue : cudaSuccess;
}

} // namespace

Module* registerModule(const void* wrapper)
{
    auto* module = new Module;
    module->image = wrapper;
    return module;
}

void unregisterModule(Module* module)
{
    withRegistry([&](Registry& registry) {
        std::erase_if(registry.waiting, [&](const Registration& one) { return one.module == module; });
        std::erase_if(registry.byHost, [&](const auto& one) {
            const bool isGone = one.second->module == module;
            if (isGone)
                registry.handles.erase(one.second.get());
            return isGone;
        });
    });
    delete module;
}

void registerKernel(Module* module, const void* hostFunction, const char* name)
{
    withRegistry([&](Registry& registry) { registry.waiting.push_back({module, hostFunction, name}); });
}

Kernel* kernelOf(const void* function)
{
    return withRegistry([&](Registry& registry) -> Kernel* {
        registry.sort();
        const auto found = registry.byHost.find(function);
        if (found != registry.byHost.end())
            return found->second.get();
        return registry.handles.contains(function) ? static_cast<Kernel*>(const_cast<void*>(function)) : nullptr;
    });
}

int requireImage(const Kernel* kernel)
{
    if (kernel == nullptr)
        return cudaErrorInvalidDeviceFunction;
    return withRegistry([&](Registry& registry) {
        const ModuleImage& image = imageOf(*kernel->module);
        if (image.runsOn(card().capabilityMajor, card().capabilityMinor))
            return cudaSuccess;
        if (registry.toldMissing.empty())
            tellMissingImage(*kernel, image);
        registry.toldMissing.insert(kernel->module);
        return cudaErrorNoKernelImageForDevice;
    });
}

int architectureOf(const Kernel& kernel)
{
    return withRegistry([&](Registry&) {
        return imageOf(*kernel.module).architectureOn(card().capabilityMajor, card().capabilityMinor);
    });
}

int loadModule(const void* image, Module** module)
{
    if (image == nullptr || module == nullptr)
        return cudaErrorInvalidValue;
    if (const int status = openDevice(currentDevice()); status != cudaSuccess)
        return status;
    *module = newModule(image, isText(image) ? std::string(static_cast<const char*>(image)) : std::string());
    return imageOf(**module).runsOn(card().capabilityMajor, card().capabilityMinor) ? cudaSuccess
                                                                                    : cudaErrorNoKernelImageForDevice;
}

int loadModuleFile(const char* path, Module** module)
{
    const int file = ::open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return cudaErrorFileNotFound;
    std::string content;
    char buffer[4096];
    for (ssize_t length = 0; (length = ::read(file, buffer, sizeof buffer)) > 0;)
        content.append(buffer, static_cast<std::size_t>(length));
    ::close(file);
    if (content.size() < sizeof(std::uint64_t))
        return cudaErrorInvalidKernelImage;
    *module = newModule(nullptr, std::move(content));
    return cudaSuccess;
}

int unloadModule(Module* module)
{
    if (!isModule(module))
        return cudaErrorInvalidResourceHandle;
    withRegistry([&](Registry& registry) {
        registry.modules.erase(module);
        for (const auto& kernel : module->kernels)
            registry.handles.erase(kernel.get());
    });
    delete module;
    return cudaSuccess;
}

bool isModule(const Module* module)
{
    return withRegistry([&](Registry& registry) { return registry.modules.contains(module); });
}

int kernelByName(Module* module, const char* name, Kernel** kernel)
{
    if (!isModule(module))
        return cudaErrorInvalidResourceHandle;
    const char* kept = internedName(name);
    return withRegistry([&](Registry& registry) {
        for (const auto& known : module->kernels) {
            if (known->name == kept) {
                *kernel = known.get();
                return cudaSuccess;
            }
        }
        if (!imageOf(*module).hasKernel(name))
            return cudaErrorSymbolNotFound;
        module->kernels.push_back(std::make_unique<Kernel>());
        *kernel = module->kernels.back().get();
        (*kernel)->name = kept;
        (*kernel)->module = module;
        registry.handles.insert(*kernel);
        return cudaSuccess;
    });
}

int variableByName(Module* module, const char* name, void** address, std::size_t* bytes)
{
    if (!isModule(module))
        return cudaErrorInvalidResourceHandle;
    const auto size = withRegistry([&](Registry&) { return imageOf(*module).variableBytes(name); });
    if (!size)
        return cudaErrorSymbolNotFound;
    return variableAddress(module, name, *size, address, bytes);
}

int launchKernel(Kernel* kernel, Launch launched)
{
    if (const int status = openDevice(currentDevice()); status != cudaSuccess)
        return status;
    if (const int status = requireImage(kernel); status != cudaSuccess)
        return status;
    if (const int status = requireSizes(*kernel, launched); status != cudaSuccess)
        return status;
    launched.name = kernel->name;
    launched.registers = kNominalRegisters;
    launched.kernel = kernel;
    return launch(launched);
}

int activeBlocks(int threadsPerBlock, std::size_t dynamicSharedBytes)
{
    if (threadsPerBlock <= 0 || threadsPerBlock > kMostThreadsPerBlock)
        return 0;
    const int threads = (threadsPerBlock + card().warpSize - 1) / card().warpSize * card().warpSize;
    int blocks = std::min({card().blocksPerMultiprocessor, card().threadsPerMultiprocessor / threads,
        card().registersPerMultiprocessor / (threads * kNominalRegisters)});
    if (dynamicSharedBytes > card().sharedBytesPerBlockOptIn)
        return 0;
    if (dynamicSharedBytes > 0)
        blocks = std::min(blocks, static_cast<int>(card().sharedBytesPerMultiprocessor / dynamicSharedBytes));
    return blocks;
}

std::size_t availableSharedBytes(int blocks)
{
    return std::min(card().sharedBytesPerMultiprocessor / static_cast<std::size_t>(std::max(blocks, 1)),
        card().sharedBytesPerBlockOptIn);
}

} // namespace headroom::rehearsal
