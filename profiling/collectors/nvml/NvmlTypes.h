// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// The part of NVML's interface that is used, as its documentation (R470 to R590) describes it. The library comes with
// the driver, but its header comes with a toolkit that is not needed otherwise.
namespace headroom::collectors::nvml {

using Status = int; ///< nvmlReturn_t
inline constexpr Status kSuccess = 0;
inline constexpr Status kInsufficientSize = 7;

struct DeviceHandle; ///< nvmlDevice_t points to one

/// nvmlMemory_v2_t
struct MemoryInfo {
    unsigned version = 0;
    unsigned long long total = 0;
    unsigned long long reserved = 0;
    unsigned long long free = 0;
    unsigned long long used = 0;
};

/// nvmlMemory_t: `used` includes what driver and firmware reserve.
struct PlainMemoryInfo {
    unsigned long long total = 0;
    unsigned long long free = 0;
    unsigned long long used = 0;
};

/// nvmlUtilization_t: in per cent.
struct Utilisation {
    unsigned gpu = 0;
    unsigned memory = 0;
};

/// nvmlProcessInfo_t of the _v3 calls.
struct ProcessInfo {
    unsigned pid = 0;
    unsigned long long usedBytes = 0; ///< all ones: not available
    unsigned gpuInstance = 0;
    unsigned computeInstance = 0;
};

enum class Clock : int { Sm = 1, Memory = 2 }; ///< nvmlClockType_t
enum class Sensor : int { Gpu = 0 }; ///< nvmlTemperatureSensors_t

} // namespace headroom::collectors::nvml
