// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/memory/HostMemory.h"

#include "profiling/rehearsal/Account.h"
#include "profiling/rehearsal/Devices.h"
#include "profiling/rehearsal/Ending.h"
#include "profiling/rehearsal/memory/Mapping.h"
#include "profiling/rehearsal/memory/MemoryMap.h"

#include <driver_types.h>

namespace headroom::rehearsal {

namespace {

MemoryRange hostRange(MemoryKind kind, std::uintptr_t begin, std::size_t bytes, unsigned flags)
{
    MemoryRange range;
    range.kind = kind;
    range.device = currentDevice();
    range.begin = begin;
    range.bytes = range.askedBytes = bytes;
    range.flags = flags;
    return range;
}

int allocateHost(MemoryKind kind, std::size_t bytes, unsigned flags, void** address)
{
    if (address == nullptr)
        return cudaErrorInvalidValue;
    *address = nullptr;
    if (const int status = openDevice(currentDevice()); status != cudaSuccess || bytes == 0)
        return status;
    const std::size_t whole = (bytes + pageBytes() - 1) / pageBytes() * pageBytes();
    if (whole < bytes || !takeHostBytes(whole))
        return cudaErrorMemoryAllocation;
    MemoryRange range = hostRange(kind, mapHost(whole), whole, flags);
    range.askedBytes = bytes;
    if (range.begin == 0)
        endAtLimit(kind == MemoryKind::Pinned ? "map pinned host memory" : "map managed memory", whole);
    addRange(range);
    tellMemory(true, range);
    *address = reinterpret_cast<void*>(range.begin); // NOLINT(performance-no-int-to-ptr)
    return cudaSuccess;
}

int freeHost(MemoryKind kind, void* address)
{
    if (address == nullptr)
        return cudaSuccess;
    const MemoryRange range = removeRange(reinterpret_cast<std::uintptr_t>(address), kind);
    if (range.kind == MemoryKind::Unregistered)
        return cudaErrorInvalidValue;
    tellMemory(false, range);
    unmap(range.begin, range.bytes);
    giveHostBytes(range.bytes);
    return cudaSuccess;
}

} // namespace

int allocatePinned(std::size_t bytes, unsigned flags, void** address)
{
    return allocateHost(MemoryKind::Pinned, bytes, flags, address);
}

int freePinned(void* address)
{
    return freeHost(MemoryKind::Pinned, address);
}

int allocateManaged(std::size_t bytes, unsigned flags, void** address)
{
    if (bytes == 0)
        return cudaErrorInvalidValue;
    return allocateHost(MemoryKind::Managed, bytes, flags, address);
}

int freeManaged(void* address)
{
    return freeHost(MemoryKind::Managed, address);
}

int registerHost(void* address, std::size_t bytes, unsigned flags)
{
    if (address == nullptr || bytes == 0)
        return cudaErrorInvalidValue;
    if (const int status = openDevice(currentDevice()); status != cudaSuccess)
        return status;
    if (rangeAround(address).kind != MemoryKind::Unregistered)
        return cudaErrorHostMemoryAlreadyRegistered;
    addRange(hostRange(MemoryKind::Registered, reinterpret_cast<std::uintptr_t>(address), bytes, flags));
    return cudaSuccess;
}

int unregisterHost(void* address)
{
    const MemoryRange range = removeRange(reinterpret_cast<std::uintptr_t>(address), MemoryKind::Registered);
    return range.kind == MemoryKind::Unregistered ? cudaErrorHostMemoryNotRegistered : cudaSuccess;
}

} // namespace headroom::rehearsal
