// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/api/Nvml.h"

#include "profiling/rehearsal/Account.h"
#include "profiling/rehearsal/Card.h"
#include "profiling/rehearsal/Devices.h"
#include "profiling/rehearsal/api/Exported.h"

#include <cuda_runtime_api.h>

#include <array>
#include <atomic>
#include <cctype>
#include <cstdio>
#include <cstring>

namespace headroom::rehearsal::nvml {
namespace {

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

// The number of a handle that was given out, or -1.
int indexOf(const void* handle)
{
    for (int index = 0; index < card().count && index < kMostDevices; ++index)
        if (handle == &devices()[static_cast<std::size_t>(index)])
            return index;
    return -1;
}

PciPlace placeFrom(const char* text)
{
    PciPlace place;
    if (std::sscanf(text, "%x:%x:%x", &place.domain, &place.bus, &place.device) != 3)
        place = {~0U, ~0U, ~0U};
    return place;
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

} // namespace

int usable()
{
    return s_users.load() > 0 ? Success : Uninitialised;
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

PciPlace placeOfDevice(int index)
{
    std::array<char, 32> text{};
    pciBusId(index, text.data(), text.size());
    return placeFrom(text.data());
}

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
