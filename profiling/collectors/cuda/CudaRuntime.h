// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"

#include <string>
#include <vector>

namespace headroom::collectors {

/// One NVIDIA GPU as the CUDA runtime describes it.
struct CudaDevice {
    int index = 0;
    std::string name;
    Bytes totalBytes = 0;
    int capabilityMajor = 0;
    int capabilityMinor = 0;
};

/// What CUDA can do in this process. The query does not create a context.
struct CudaAvailability {
    int runtimeVersion = 0; ///< of the linked runtime, 13000 for 13.0
    int driverVersion = 0; ///< highest CUDA version of the driver; 0: no driver
    unsigned cuptiVersion = 0;
    std::vector<CudaDevice> devices;
    std::string reason; ///< why CUDA cannot be used; empty when it can
};

CudaAvailability cudaAvailability();

/// The names by which other libraries know a device; empty where the runtime does not report them.
struct CudaDeviceNames {
    std::string uuid; ///< "GPU-01234567-89ab-…", of an instance of a card (MIG), too
    std::string pciBusId; ///< "0000:3b:00.0"
};

CudaDeviceNames namesOf(int index);
/// "GPU-" and the 16 bytes in the groups of a UUID.
std::string uuidText(const char (&bytes)[16]);

/// Throws TrialError, with the reason and the valid choices, when there is no such device. Creates no context.
void requireCudaDevice(int index);

/// Throws TrialError, which asks for a fresh process, when LibTorch has settled that there is no CUDA although its
/// library is loaded by now.
void requireCudaInLibTorch(bool hasCuda, const std::string& where);

/// Makes this process's trial one on the card that is not there, whose substitute for the CUDA runtime was loaded
/// before it: its clock is the trial's. Throws TrialError where another runtime would answer, or where `runtime`
/// ("torch-2.11") is not that of this process's LibTorch.
void openRehearsedCard(const std::string& runtime, const std::string& where);

/// Why LibTorch's CUDA library cannot be loaded, which takes half a second; empty where it can.
std::string torchCudaProblem();

/// Loads LibTorch's CUDA library (which needs the large CUDA libraries), initialises the device and makes it this
/// thread's current one. Throws TrialError with the reason and what to do about it.
void openCudaDevice(int index);

} // namespace headroom::collectors
