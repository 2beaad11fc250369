// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/nvml/NvmlLibrary.h"

#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace headroom::collectors::nvml {
namespace {

// Takes the first of the names that the library has.
template <typename Call> void find(void* library, Call& call, std::initializer_list<const char*> names)
{
    for (const char* name : names)
        if (call == nullptr)
            call = reinterpret_cast<Call>(::dlsym(library, name));
}

std::string versionFrom(Status (*call)(char*, unsigned))
{
    std::array<char, 96> text{};
    if (call == nullptr || call(text.data(), static_cast<unsigned>(text.size() - 1)) != kSuccess)
        return {};
    return text.data();
}

// "GPU-x", and "MIG-x" as the same bytes may be an instance's.
std::vector<std::string> namesWith(const std::string& uuid)
{
    constexpr std::string_view kCard = "GPU-";
    std::vector<std::string> names{uuid};
    if (uuid.starts_with(kCard))
        names.push_back("MIG-" + uuid.substr(kCard.size()));
    return names;
}

} // namespace

std::string NvmlLibrary::path()
{
    const char* chosen = std::getenv("HEADROOM_NVML");
    return chosen == nullptr || *chosen == '\0' ? kLibraryName : chosen;
}

NvmlLibrary::NvmlLibrary(const std::string& path)
    : m_library(nullptr, ::dlclose)
{
    open(path);
}

NvmlLibrary::~NvmlLibrary()
{
    if (m_problem.empty() && m_calls.shutDown != nullptr)
        m_calls.shutDown();
}

void NvmlLibrary::open(const std::string& path)
{
    m_library.reset(::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL));
    if (!m_library) {
        m_problem = path + " is not there: it comes with the NVIDIA driver (containers: capability utility)";
        return;
    }
    resolve();
    if (m_calls.initialise == nullptr)
        m_problem = path + " is no NVML: it has no nvmlInit_v2";
    else if (const Status status = m_calls.initialise(); status != kSuccess)
        m_problem = "NVML does not start: " + textOf(status);
}

void NvmlLibrary::resolve()
{
    void* library = m_library.get();
    find(library, m_calls.initialise, {"nvmlInit_v2"});
    find(library, m_calls.shutDown, {"nvmlShutdown"});
    find(library, m_calls.errorText, {"nvmlErrorString"});
    find(library, m_calls.driverVersion, {"nvmlSystemGetDriverVersion"});
    find(library, m_calls.libraryVersion, {"nvmlSystemGetNVMLVersion"});
    find(library, m_calls.handleByUuid, {"nvmlDeviceGetHandleByUUID"});
    find(library, m_calls.handleByPciBusId, {"nvmlDeviceGetHandleByPciBusId_v2"});
    find(library, m_calls.memoryInfo, {"nvmlDeviceGetMemoryInfo_v2"});
    find(library, m_calls.plainMemoryInfo, {"nvmlDeviceGetMemoryInfo"});
    find(library, m_calls.computeProcesses, {"nvmlDeviceGetComputeRunningProcesses_v3"});
    find(library, m_calls.graphicsProcesses, {"nvmlDeviceGetGraphicsRunningProcesses_v3"});
    find(library, m_calls.utilisation, {"nvmlDeviceGetUtilizationRates"});
    find(library, m_calls.clock, {"nvmlDeviceGetClockInfo"});
    find(library, m_calls.powerMilliwatts, {"nvmlDeviceGetPowerUsage"});
    find(library, m_calls.temperature, {"nvmlDeviceGetTemperature"});
    find(library, m_calls.throttleReasons,
        {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"});
    find(library, m_calls.migMode, {"nvmlDeviceGetMigMode"});
}

std::string NvmlLibrary::textOf(Status status) const
{
    const char* text = m_calls.errorText == nullptr ? nullptr : m_calls.errorText(status);
    return text == nullptr ? "error " + std::to_string(status) : text;
}

std::string NvmlLibrary::version() const
{
    if (!m_problem.empty())
        return {};
    const std::string library = versionFrom(m_calls.libraryVersion);
    const std::string driver = versionFrom(m_calls.driverVersion);
    if (driver.empty())
        return library;
    return library.empty() ? "driver " + driver : library + " (driver " + driver + ")";
}

DeviceHandle* NvmlLibrary::device(const std::string& uuid, const std::string& pciBusId) const
{
    if (!m_problem.empty())
        return nullptr;
    for (const std::string& name : namesWith(uuid))
        if (DeviceHandle* handle = found(m_calls.handleByUuid, name))
            return handle;
    return found(m_calls.handleByPciBusId, pciBusId);
}

DeviceHandle* NvmlLibrary::found(Status (*lookUp)(const char*, DeviceHandle**), const std::string& name) const
{
    DeviceHandle* handle = nullptr;
    if (name.empty() || lookUp == nullptr || lookUp(name.c_str(), &handle) != kSuccess)
        return nullptr;
    return isDivided(handle) ? nullptr : handle;
}

// Drivers before MIG lack the call, other cards and instances do not support it.
bool NvmlLibrary::isDivided(DeviceHandle* device) const
{
    constexpr unsigned kEnabled = 1;
    unsigned now = 0;
    unsigned pending = 0;
    return m_calls.migMode != nullptr && m_calls.migMode(device, &now, &pending) == kSuccess && now == kEnabled;
}

} // namespace headroom::collectors::nvml
