// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/kernels/Variables.h"

#include "profiling/rehearsal/Account.h"
#include "profiling/rehearsal/Devices.h"
#include "profiling/rehearsal/Lock.h"
#include "profiling/rehearsal/kernels/Kernels.h"
#include "profiling/rehearsal/memory/DeviceMemory.h"
#include "profiling/rehearsal/memory/MemoryMap.h"

#include <algorithm>
#include <driver_types.h>
#include <map>
#include <unordered_map>
#include <utility>

namespace headroom::rehearsal {

namespace {

constexpr std::size_t kAlignment = 256;

/// Where the next variable of a device lies: segments that are filled from their beginning.
struct Filling {
    std::uintptr_t next = 0;
    std::uintptr_t end = 0;

    std::uintptr_t take(int device, std::size_t bytes)
    {
        bytes = (bytes + kAlignment - 1) / kAlignment * kAlignment;
        if (end - next < bytes)
            addSegment(device, std::max(bytes, kSegmentBytes));
        return std::exchange(next, next + bytes);
    }

    void addSegment(int device, std::size_t bytes)
    {
        bytes = (bytes + kSegmentBytes - 1) / kSegmentBytes * kSegmentBytes;
        MemoryRange range;
        range.kind = MemoryKind::Device;
        range.device = device;
        range.begin = placeDevice(device, bytes);
        range.bytes = range.askedBytes = bytes;
        range.origin = MemoryOrigin::Module;
        addRange(range);
        next = range.begin;
        end = range.begin + bytes;
    }
};

struct HostVariable {
    const char* name;
    std::size_t bytes;
};

struct Variables {
    std::unordered_map<const void*, HostVariable> byHost;
    std::map<std::pair<const void*, const char*>, std::uintptr_t> placed[kMostDevices];
    Filling filling[kMostDevices];
};

constinit Lock variablesLock;

Variables& variables()
{
    static auto& all = *new Variables;
    return all;
}

} // namespace

void registerVariable(const void* hostVariable, const char* name, std::size_t bytes)
{
    const LockScope scope(variablesLock);
    variables().byHost[hostVariable] = {name, bytes};
}

int variableAddress(const void* module, const char* name, std::size_t bytes, void** address, std::size_t* size)
{
    const int device = currentDevice();
    if (const int status = openDevice(device); status != cudaSuccess)
        return status;
    const LockScope scope(variablesLock);
    std::uintptr_t& place = variables().placed[device][{module, internedName(name)}];
    if (place == 0)
        place = variables().filling[device].take(device, bytes);
    if (address != nullptr)
        *address = reinterpret_cast<void*>(place); // NOLINT(performance-no-int-to-ptr)
    if (size != nullptr)
        *size = bytes;
    return cudaSuccess;
}

int symbolAddress(const void* hostVariable, void** address, std::size_t* bytes)
{
    HostVariable variable{};
    {
        const LockScope scope(variablesLock);
        const auto found = variables().byHost.find(hostVariable);
        if (found == variables().byHost.end())
            return cudaErrorInvalidSymbol;
        variable = found->second;
    }
    return variableAddress(hostVariable, variable.name, variable.bytes, address, bytes);
}

} // namespace headroom::rehearsal
