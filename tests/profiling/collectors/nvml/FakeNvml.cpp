// SPDX-License-Identifier: Apache-2.0
//
// A library that answers like NVML, for tests. What it answers is set by environment variables:
//   FAKE_NVML_START      status of nvmlInit_v2
//   FAKE_NVML_STATUS     status of every question about the device
//   FAKE_NVML_PROCESSES  "pid:bytes,pid:bytes"; "-" instead of bytes: not available
//   FAKE_NVML_MIG        "1": the card is divided into instances, one of which is MIG-7
// Built with FAKE_NVML_OLD it lacks what an old driver lacks.
#include "profiling/collectors/nvml/NvmlLibrary.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

using namespace headroom::collectors::nvml;

namespace {

constexpr unsigned long long kMiB = 1024 * 1024;

Status statusFrom(const char* variable)
{
    const char* text = std::getenv(variable);
    return text == nullptr ? kSuccess : std::atoi(text);
}

Status answer()
{
    return statusFrom("FAKE_NVML_STATUS");
}

DeviceHandle* theDevice()
{
    static int device = 0;
    return reinterpret_cast<DeviceHandle*>(&device);
}

DeviceHandle* theInstance()
{
    static int instance = 0;
    return reinterpret_cast<DeviceHandle*>(&instance);
}

bool isDividedCard()
{
    const char* text = std::getenv("FAKE_NVML_MIG");
    return text != nullptr && std::strcmp(text, "1") == 0;
}

template <typename Value> Status answerWith(Value* out, Value value)
{
    if (answer() == kSuccess)
        *out = value;
    return answer();
}

#ifndef FAKE_NVML_OLD
std::vector<ProcessInfo> processes()
{
    std::vector<ProcessInfo> list;
    const char* text = std::getenv("FAKE_NVML_PROCESSES");
    std::istringstream stream(text == nullptr ? "" : text);
    std::string entry;
    while (std::getline(stream, entry, ',')) {
        const std::string bytes = entry.substr(entry.find(':') + 1);
        list.push_back({static_cast<unsigned>(std::stoul(entry)),
            bytes == "-" ? std::numeric_limits<unsigned long long>::max() : std::stoull(bytes)});
    }
    return list;
}
#endif

} // namespace

extern "C" {

Status nvmlInit_v2()
{
    return statusFrom("FAKE_NVML_START");
}

Status nvmlShutdown()
{
    return kSuccess;
}

const char* nvmlErrorString(Status status)
{
    return status == 9 ? "Driver Not Loaded" : "Something Else";
}

Status nvmlDeviceGetHandleByUUID(const char* uuid, DeviceHandle** device)
{
    *device = theDevice();
    if (isDividedCard() && std::strcmp(uuid, "MIG-7") == 0) {
        *device = theInstance();
        return kSuccess;
    }
    return std::strcmp(uuid, "GPU-1") == 0 ? kSuccess : 6;
}

Status nvmlDeviceGetHandleByPciBusId_v2(const char* id, DeviceHandle** device)
{
    *device = theDevice();
    return std::strcmp(id, "0000:3b:00.0") == 0 ? kSuccess : 6;
}

Status nvmlDeviceGetMemoryInfo(DeviceHandle*, PlainMemoryInfo* memory)
{
    return answerWith(memory, {1000 * kMiB, 600 * kMiB, 400 * kMiB});
}

Status nvmlDeviceGetPowerUsage(DeviceHandle*, unsigned* milliwatts)
{
    return answerWith(milliwatts, 312'500U);
}

#ifdef FAKE_NVML_OLD
Status nvmlDeviceGetCurrentClocksThrottleReasons(DeviceHandle*, unsigned long long* reasons)
{
    return answerWith(reasons, 0x4ULL);
}
#else
Status nvmlSystemGetDriverVersion(char* text, unsigned size)
{
    std::snprintf(text, size, "580.65.06");
    return kSuccess;
}

Status nvmlSystemGetNVMLVersion(char* text, unsigned size)
{
    std::snprintf(text, size, "13.580.65.06");
    return kSuccess;
}

Status nvmlDeviceGetMemoryInfo_v2(DeviceHandle*, MemoryInfo* memory)
{
    if (memory->version != (sizeof(MemoryInfo) | (2U << 24U)))
        return 25; // NVML_ERROR_ARGUMENT_VERSION_MISMATCH
    return answerWith(memory, {memory->version, 1000 * kMiB, 100 * kMiB, 600 * kMiB, 300 * kMiB});
}

Status nvmlDeviceGetComputeRunningProcesses_v3(DeviceHandle*, unsigned* count, ProcessInfo* infos)
{
    const std::vector<ProcessInfo> list = processes();
    const unsigned room = *count;
    *count = static_cast<unsigned>(list.size());
    if (answer() != kSuccess || list.size() > room)
        return answer() != kSuccess ? answer() : kInsufficientSize;
    std::copy(list.begin(), list.end(), infos);
    return kSuccess;
}

Status nvmlDeviceGetUtilizationRates(DeviceHandle*, Utilisation* utilisation)
{
    return answerWith(utilisation, {75, 50});
}

Status nvmlDeviceGetClockInfo(DeviceHandle*, Clock clock, unsigned* megahertz)
{
    return answerWith(megahertz, clock == Clock::Sm ? 1980U : 3201U);
}

Status nvmlDeviceGetMigMode(DeviceHandle* device, unsigned* now, unsigned* pending)
{
    if (device != theDevice())
        return 3; // NVML_ERROR_NOT_SUPPORTED
    *now = *pending = isDividedCard() ? 1 : 0;
    return kSuccess;
}

Status nvmlDeviceGetTemperature(DeviceHandle*, Sensor, unsigned* celsius)
{
    return answerWith(celsius, 61U);
}

Status nvmlDeviceGetCurrentClocksEventReasons(DeviceHandle*, unsigned long long* reasons)
{
    return answerWith(reasons, 0x8000'0000'0000'0004ULL);
}
#endif
}
