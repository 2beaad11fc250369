// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/Account.h"
#include "profiling/rehearsal/Card.h"
#include "profiling/rehearsal/api/Exported.h"
#include "profiling/rehearsal/api/Nvml.h"

#include <cstddef>
#include <cstdio>
#include <vector>

namespace headroom::rehearsal::nvml {
namespace {

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

constexpr unsigned kNoInstance = 0xFFFFFFFF;

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
