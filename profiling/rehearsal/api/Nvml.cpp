// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/Account.h"
#include "profiling/rehearsal/Card.h"
#include "profiling/rehearsal/Devices.h"
#include "profiling/rehearsal/api/Exported.h"

#include <cuda_runtime_api.h>

#include <array>
#include <atomic>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

/// What the driver's management library says of the card: its memory from the account, its names from the description.
/// What it would have to measure (temperature, power, utilisation) is not supported.
namespace headroom::rehearsal::nvml {
namespace {

// nvmlReturn_t.
enum Status : int {
    Success = 0,
    Uninitialised = 1,
    InvalidArgument = 2,
    NotSupported = 3,
    NotFound = 6,
    InsufficientSize = 7,
    DriverNotLoaded = 9,
    VersionMismatch = 25,
};

struct PciInfo {
    char legacyBusId[16];
    unsigned domain;
    unsigned bus;
    unsigned device;
    unsigned deviceId;
    unsigned subsystemId;
    char busId[32];
};
static_assert(sizeof(PciInfo) == 68);

struct MemoryInfo {
    unsigned long long total;
    unsigned long long free;
    unsigned long long used;
};

struct VersionedMemoryInfo {
    unsigned version;
    unsigned long long total;
    unsigned long long reserved;
    unsigned long long free;
    unsigned long long used;
};

struct OldProcess {
    unsigned pid;
    unsigned long long bytes;
};

struct Process {
    unsigned pid;
    unsigned long long bytes;
    unsigned gpuInstance;
    unsigned computeInstance;
};

// The handle of a device is the address of its place in here.
struct Device {
    int index;
};

#if CUDART_VERSION >= 13000
constexpr const char* kDriverVersion = "580.65.06"; // the first of the branch that came with CUDA 13.0
constexpr const char* kLibraryVersion = "13.580.65.06";
#else
constexpr const char* kDriverVersion = "550.54.15"; // the branch that came with CUDA 12.4
constexpr const char* kLibraryVersion = "12.550.54.15";
#endif
constexpr unsigned kNoInstance = 0xFFFFFFFF;

std::atomic<int> s_users = 0;

std::array<Device, kMostDevices>& devices()
{
    static std::array<Device, kMostDevices> s_devices = [] {
        std::array<Device, kMostDevices> made{};
        for (int index = 0; index < kMostDevices; ++index)
            made[static_cast<std::size_t>(index)].index = index;
        return made;
    }();
    return s_devices;
}

int usable()
{
    return s_users.load() > 0 ? Success : Uninitialised;
}

// The number of a handle that was given out, or -1.
int indexOf(const void* handle)
{
    for (int index = 0; index < card().count && index < kMostDevices; ++index)
        if (handle == &devices()[static_cast<std::size_t>(index)])
            return index;
    return -1;
}

int forDevice(const void* handle, const void* result, int* index)
{
    if (const int status = usable(); status != Success)
        return status;
    *index = indexOf(handle);
    return *index < 0 || result == nullptr ? InvalidArgument : Success;
}

int give(const std::string& text, char* place, unsigned length)
{
    if (place == nullptr)
        return InvalidArgument;
    if (text.size() + 1 > length)
        return InsufficientSize;
    std::memcpy(place, text.c_str(), text.size() + 1);
    return Success;
}

int handleAt(int index, void** handle)
{
    if (const int status = usable(); status != Success)
        return status;
    if (handle == nullptr || index < 0 || index >= card().count || index >= kMostDevices)
        return InvalidArgument;
    *handle = &devices()[static_cast<std::size_t>(index)];
    return Success;
}

std::string uuidOf(int index)
{
    std::array<unsigned char, 16> bytes{};
    deviceUuid(index, bytes.data());
    std::string text = "GPU-";
    for (std::size_t place = 0; place < bytes.size(); ++place) {
        std::array<char, 4> digits{};
        std::snprintf(digits.data(), digits.size(), "%02x", bytes[place]);
        text += digits.data();
        if (place == 3 || place == 5 || place == 7 || place == 9)
            text += '-';
    }
    return text;
}

struct PciPlace {
    unsigned domain = 0;
    unsigned bus = 0;
    unsigned device = 0;

    bool operator==(const PciPlace&) const = default;
};

PciPlace placeFrom(const char* text)
{
    PciPlace place;
    if (std::sscanf(text, "%x:%x:%x", &place.domain, &place.bus, &place.device) != 3)
        place = {~0U, ~0U, ~0U};
    return place;
}

PciPlace placeOfDevice(int index)
{
    std::array<char, 32> text{};
    pciBusId(index, text.data(), text.size());
    return placeFrom(text.data());
}

bool isSameText(const std::string& one, const std::string& other)
{
    if (one.size() != other.size())
        return false;
    for (std::size_t place = 0; place < one.size(); ++place)
        if (std::tolower(static_cast<unsigned char>(one[place]))
            != std::tolower(static_cast<unsigned char>(other[place])))
            return false;
    return true;
}

MemoryInfo memoryOf(int index)
{
    const std::size_t total = card().totalBytes;
    const std::size_t taken = takenDeviceBytes(index);
    const std::size_t used = taken < total ? taken : total;
    return {total, total - used, used};
}

template <typename Entry> int listProcesses(const void* handle, unsigned* count, Entry* list)
{
    int index = 0;
    if (const int status = forDevice(handle, count, &index); status != Success)
        return status;
    const std::vector<ProcessBytes> processes = deviceProcesses(index);
    const auto there = static_cast<unsigned>(processes.size());
    const bool fits = there <= *count && (there == 0 || list != nullptr);
    *count = there;
    if (!fits)
        return InsufficientSize;
    for (unsigned place = 0; place < there; ++place) {
        list[place].pid = static_cast<unsigned>(processes[place].pid);
        list[place].bytes = processes[place].bytes;
        if constexpr (requires { list[place].gpuInstance; }) {
            list[place].gpuInstance = kNoInstance;
            list[place].computeInstance = kNoInstance;
        }
    }
    return Success;
}

// Nothing is drawn on the card.
int listNone(const void* handle, unsigned* count)
{
    int index = 0;
    const int status = forDevice(handle, count, &index);
    if (status == Success)
        *count = 0;
    return status;
}

// nvmlClockType_t: the memory's clock is the third; the others are the multiprocessors'.
int clockOf(const void* handle, int type, unsigned* megahertz)
{
    constexpr int kMemory = 2;
    constexpr int kVideo = 3;
    int index = 0;
    if (const int status = forDevice(handle, megahertz, &index); status != Success)
        return status;
    if (type < 0 || type > kVideo)
        return InvalidArgument;
    const int kilohertz = type == kMemory ? card().memoryClockKilohertz : card().clockKilohertz;
    *megahertz = static_cast<unsigned>(kilohertz) / 1000;
    return Success;
}

// nvmlDeviceArchitecture_t.
unsigned architecture()
{
    switch (card().capabilityMajor) {
    case 6:
        return 4;
    case 7:
        return card().capabilityMinor < 5 ? 5 : 6;
    case 8:
        return card().capabilityMinor == 9 ? 8 : 7;
    case 9:
        return 9;
    case 10:
    case 11:
    case 12:
        return 10;
    default:
        return 0xFFFFFFFF; // unknown
    }
}

} // namespace
} // namespace headroom::rehearsal::nvml

using namespace headroom::rehearsal;
using namespace headroom::rehearsal::nvml;

HEADROOM_CARD_API int nvmlInit_v2()
{
    if (!hasCard())
        return DriverNotLoaded;
    ++s_users;
    return nvml::Success;
}

HEADROOM_CARD_API int nvmlInit()
{
    return nvmlInit_v2();
}

HEADROOM_CARD_API int nvmlInitWithFlags(unsigned)
{
    return nvmlInit_v2();
}

HEADROOM_CARD_API int nvmlShutdown()
{
    if (const int status = usable(); status != nvml::Success)
        return status;
    --s_users;
    return nvml::Success;
}

HEADROOM_CARD_API const char* nvmlErrorString(int status)
{
    switch (status) {
    case nvml::Success:
        return "Success";
    case Uninitialised:
        return "Uninitialized";
    case nvml::InvalidArgument:
        return "Invalid Argument";
    case nvml::NotSupported:
        return "Not Supported";
    case NotFound:
        return "Not Found";
    case InsufficientSize:
        return "Insufficient Size";
    case DriverNotLoaded:
        return "Driver Not Loaded";
    case VersionMismatch:
        return "Argument Version Mismatch";
    default:
        return "Unknown Error";
    }
}

HEADROOM_CARD_API int nvmlSystemGetDriverVersion(char* version, unsigned length)
{
    const int status = usable();
    return status == nvml::Success ? give(kDriverVersion, version, length) : status;
}

HEADROOM_CARD_API int nvmlSystemGetNVMLVersion(char* version, unsigned length)
{
    return give(kLibraryVersion, version, length);
}

HEADROOM_CARD_API int nvmlSystemGetCudaDriverVersion(int* version)
{
    if (version == nullptr)
        return nvml::InvalidArgument;
    return cudaDriverGetVersion(version) == cudaSuccess ? nvml::Success : DriverNotLoaded;
}

HEADROOM_CARD_API int nvmlSystemGetCudaDriverVersion_v2(int* version)
{
    return nvmlSystemGetCudaDriverVersion(version);
}

HEADROOM_CARD_API int nvmlDeviceGetCount_v2(unsigned* count)
{
    if (const int status = usable(); status != nvml::Success)
        return status;
    if (count == nullptr)
        return nvml::InvalidArgument;
    *count = static_cast<unsigned>(card().count);
    return nvml::Success;
}

HEADROOM_CARD_API int nvmlDeviceGetCount(unsigned* count)
{
    return nvmlDeviceGetCount_v2(count);
}

HEADROOM_CARD_API int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** handle)
{
    return handleAt(static_cast<int>(index), handle);
}

HEADROOM_CARD_API int nvmlDeviceGetHandleByIndex(unsigned index, void** handle)
{
    return handleAt(static_cast<int>(index), handle);
}

HEADROOM_CARD_API int nvmlDeviceGetHandleByUUID(const char* uuid, void** handle)
{
    if (const int status = usable(); status != nvml::Success)
        return status;
    if (uuid == nullptr)
        return nvml::InvalidArgument;
    for (int index = 0; index < card().count; ++index)
        if (isSameText(uuid, uuidOf(index)))
            return handleAt(index, handle);
    return NotFound;
}

HEADROOM_CARD_API int nvmlDeviceGetHandleByPciBusId_v2(const char* busId, void** handle)
{
    if (const int status = usable(); status != nvml::Success)
        return status;
    if (busId == nullptr)
        return nvml::InvalidArgument;
    for (int index = 0; index < card().count; ++index)
        if (placeFrom(busId) == placeOfDevice(index))
            return handleAt(index, handle);
    return NotFound;
}

HEADROOM_CARD_API int nvmlDeviceGetHandleByPciBusId(const char* busId, void** handle)
{
    return nvmlDeviceGetHandleByPciBusId_v2(busId, handle);
}

HEADROOM_CARD_API int nvmlDeviceGetName(const void* handle, char* name, unsigned length)
{
    int index = 0;
    const int status = forDevice(handle, name, &index);
    return status == nvml::Success ? give(card().name, name, length) : status;
}

HEADROOM_CARD_API int nvmlDeviceGetUUID(const void* handle, char* uuid, unsigned length)
{
    int index = 0;
    const int status = forDevice(handle, uuid, &index);
    return status == nvml::Success ? give(uuidOf(index), uuid, length) : status;
}

HEADROOM_CARD_API int nvmlDeviceGetIndex(const void* handle, unsigned* number)
{
    int index = 0;
    const int status = forDevice(handle, number, &index);
    if (status == nvml::Success)
        *number = static_cast<unsigned>(index);
    return status;
}

HEADROOM_CARD_API int nvmlDeviceGetMinorNumber(const void* handle, unsigned* number)
{
    return nvmlDeviceGetIndex(handle, number);
}

HEADROOM_CARD_API int nvmlDeviceGetPciInfo_v3(const void* handle, PciInfo* info)
{
    int index = 0;
    if (const int status = forDevice(handle, info, &index); status != nvml::Success)
        return status;
    const PciPlace place = placeOfDevice(index);
    *info = {};
    info->domain = place.domain;
    info->bus = place.bus;
    info->device = place.device;
    std::snprintf(info->busId, sizeof(info->busId), "%08X:%02X:%02X.0", place.domain, place.bus, place.device);
    std::snprintf(info->legacyBusId, sizeof(info->legacyBusId), "%04X:%02X:%02X.0", place.domain & 0xFFFFU,
        place.bus & 0xFFU, place.device & 0xFFU);
    return nvml::Success;
}

HEADROOM_CARD_API int nvmlDeviceGetMemoryInfo(const void* handle, MemoryInfo* info)
{
    int index = 0;
    const int status = forDevice(handle, info, &index);
    if (status == nvml::Success)
        *info = memoryOf(index);
    return status;
}

HEADROOM_CARD_API int nvmlDeviceGetMemoryInfo_v2(const void* handle, VersionedMemoryInfo* info)
{
    constexpr unsigned kVersion = sizeof(VersionedMemoryInfo) | (2U << 24U);
    int index = 0;
    if (const int status = forDevice(handle, info, &index); status != nvml::Success)
        return status;
    if (info->version != kVersion)
        return VersionMismatch;
    const MemoryInfo memory = memoryOf(index);
    *info = {kVersion, memory.total, 0, memory.free, memory.used};
    return nvml::Success;
}

HEADROOM_CARD_API int nvmlDeviceGetComputeRunningProcesses_v3(const void* handle, unsigned* count, Process* list)
{
    return listProcesses(handle, count, list);
}

HEADROOM_CARD_API int nvmlDeviceGetComputeRunningProcesses_v2(const void* handle, unsigned* count, Process* list)
{
    return listProcesses(handle, count, list);
}

HEADROOM_CARD_API int nvmlDeviceGetComputeRunningProcesses(const void* handle, unsigned* count, OldProcess* list)
{
    return listProcesses(handle, count, list);
}

HEADROOM_CARD_API int nvmlDeviceGetGraphicsRunningProcesses_v3(const void* handle, unsigned* count, Process*)
{
    return listNone(handle, count);
}

HEADROOM_CARD_API int nvmlDeviceGetGraphicsRunningProcesses_v2(const void* handle, unsigned* count, Process*)
{
    return listNone(handle, count);
}

HEADROOM_CARD_API int nvmlDeviceGetGraphicsRunningProcesses(const void* handle, unsigned* count, OldProcess*)
{
    return listNone(handle, count);
}

HEADROOM_CARD_API int nvmlDeviceGetClockInfo(const void* handle, int type, unsigned* megahertz)
{
    return clockOf(handle, type, megahertz);
}

HEADROOM_CARD_API int nvmlDeviceGetMaxClockInfo(const void* handle, int type, unsigned* megahertz)
{
    return clockOf(handle, type, megahertz);
}

HEADROOM_CARD_API int nvmlDeviceGetCudaComputeCapability(const void* handle, int* major, int* minor)
{
    int index = 0;
    if (const int status = forDevice(handle, major, &index); status != nvml::Success)
        return status;
    if (minor == nullptr)
        return nvml::InvalidArgument;
    *major = card().capabilityMajor;
    *minor = card().capabilityMinor;
    return nvml::Success;
}

HEADROOM_CARD_API int nvmlDeviceGetArchitecture(const void* handle, unsigned* value)
{
    int index = 0;
    const int status = forDevice(handle, value, &index);
    if (status == nvml::Success)
        *value = architecture();
    return status;
}

HEADROOM_CARD_API int nvmlDeviceGetMemoryBusWidth(const void* handle, unsigned* bits)
{
    int index = 0;
    const int status = forDevice(handle, bits, &index);
    if (status == nvml::Success)
        *bits = static_cast<unsigned>(card().memoryBusBits);
    return status;
}
