// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

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

inline constexpr const char* kLibraryName = "libnvidia-ml.so.1";

/// The NVML functions in use. Any of them may be missing (null): libraries differ by driver.
struct Calls {
    Status (*initialise)() = nullptr;
    Status (*shutDown)() = nullptr;
    const char* (*errorText)(Status) = nullptr;
    Status (*driverVersion)(char*, unsigned) = nullptr;
    Status (*libraryVersion)(char*, unsigned) = nullptr;
    Status (*handleByUuid)(const char*, DeviceHandle**) = nullptr;
    Status (*handleByPciBusId)(const char*, DeviceHandle**) = nullptr;
    Status (*memoryInfo)(DeviceHandle*, MemoryInfo*) = nullptr;
    Status (*plainMemoryInfo)(DeviceHandle*, PlainMemoryInfo*) = nullptr;
    Status (*computeProcesses)(DeviceHandle*, unsigned*, ProcessInfo*) = nullptr;
    Status (*graphicsProcesses)(DeviceHandle*, unsigned*, ProcessInfo*) = nullptr;
    Status (*utilisation)(DeviceHandle*, Utilisation*) = nullptr;
    Status (*clock)(DeviceHandle*, Clock, unsigned*) = nullptr;
    Status (*powerMilliwatts)(DeviceHandle*, unsigned*) = nullptr;
    Status (*temperature)(DeviceHandle*, Sensor, unsigned*) = nullptr;
    Status (*throttleReasons)(DeviceHandle*, unsigned long long*) = nullptr;
    Status (*migMode)(DeviceHandle*, unsigned* now, unsigned* pending) = nullptr;
};

/// NVML, loaded from construction to destruction if the driver provides it. Its absence is a normal state.
class NvmlLibrary {
public:
    /// HEADROOM_NVML in the environment names a different library, for tests.
    static std::string path();

    explicit NvmlLibrary(const std::string& path = NvmlLibrary::path());
    ~NvmlLibrary();
    NvmlLibrary(const NvmlLibrary&) = delete;
    NvmlLibrary& operator=(const NvmlLibrary&) = delete;

    /// Why NVML cannot be used; empty when it can.
    const std::string& problem() const { return m_problem; }
    const Calls& calls() const { return m_calls; }

    /// "13.580.65 (driver 580.65.06)"; a part that the library does not report is left out.
    std::string version() const;

    /// Null if no device matches. `uuid` is "GPU-" or "MIG-" with what the runtime reports, which does not tell the two
    /// apart: an instance of a card (MIG) is looked up by either. A card that is divided into instances is no match, as
    /// no process has it to itself and its figures are those of all instances. An empty text is not looked up.
    DeviceHandle* device(const std::string& uuid, const std::string& pciBusId) const;

private:
    DeviceHandle* found(Status (*lookUp)(const char*, DeviceHandle**), const std::string& name) const;
    bool isDivided(DeviceHandle* device) const;
    std::string textOf(Status status) const;
    void open(const std::string& path);
    void resolve();

    std::unique_ptr<void, int (*)(void*)> m_library;
    Calls m_calls;
    std::string m_problem;
};

} // namespace headroom::collectors::nvml
