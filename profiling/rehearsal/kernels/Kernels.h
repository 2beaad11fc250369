// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/rehearsal/Launches.h"
#include "profiling/rehearsal/kernels/FatBinary.h"

#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace headroom::rehearsal {

struct Module;

/// What is said of every kernel whose binary is packed: its real figure stands in compressed code.
inline constexpr int kNominalRegisters = 32;
inline constexpr int kMostThreadsPerBlock = 1024;

/// A kernel: a handle for the runtime (cudaKernel_t, cudaFunction_t) and for the driver (CUfunction, CUkernel).
struct Kernel {
    const char* name = "";
    Module* module = nullptr;
    std::atomic<int> mostDynamicBytes = -1; ///< of shared memory that it may be launched with; -1: nobody set it
    std::atomic<int> preferredCarveout = -1;
};

/// Code that was registered when a library was loaded, or loaded by the driver's calls.
struct Module {
    const void* image = nullptr;
    std::string owned; ///< of an image that had to be copied
    std::unique_ptr<ModuleImage> parsed;
    std::vector<std::unique_ptr<Kernel>> kernels; ///< that were asked for by name
    bool isLibrary = false;
};

/// Registration, as compiled code calls it before main(): cheap, nothing is looked at.
Module* registerModule(const void* wrapper);
void unregisterModule(Module* module);
void registerKernel(Module* module, const void* hostFunction, const char* name);
void registerVariable(const void* hostVariable, const char* name, std::size_t bytes);

/// The kernel that stands for a function of the host, or that is one already; null for none.
Kernel* kernelOf(const void* function);
/// 0, or cudaErrorNoKernelImageForDevice, which is told once with the architectures that there are, or
/// cudaErrorInvalidDeviceFunction.
int requireImage(const Kernel* kernel);
int architectureOf(const Kernel& kernel);

/// A module of the driver's calls. An image that is PTX or a file's content is copied.
int loadModule(const void* image, Module** module);
int loadModuleFile(const char* path, Module** module);
int unloadModule(Module* module);
bool isModule(const Module* module);
int kernelByName(Module* module, const char* name, Kernel** kernel);
int variableByName(Module* module, const char* name, void** address, std::size_t* bytes);

/// A variable of the device that stands for one of the host.
int symbolAddress(const void* hostVariable, void** address, std::size_t* bytes);

/// A launch of it with these sizes: 0, or why it cannot be.
int launchKernel(Kernel* kernel, Launch launch);

/// How many blocks of it a multiprocessor takes at once.
int activeBlocks(int threadsPerBlock, std::size_t dynamicSharedBytes);
/// What is left of the shared memory of a multiprocessor for each of so many blocks.
std::size_t availableSharedBytes(int blocks);

} // namespace headroom::rehearsal
