// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/memory/VirtualMemory.h"

#include "profiling/rehearsal/Account.h"
#include "profiling/rehearsal/Card.h"
#include "profiling/rehearsal/Devices.h"
#include "profiling/rehearsal/Lock.h"
#include "profiling/rehearsal/memory/DeviceMemory.h"
#include "profiling/rehearsal/memory/Mapping.h"
#include "profiling/rehearsal/memory/MemoryMap.h"

#include <driver_types.h>
#include <iterator>
#include <map>
#include <unordered_map>

namespace headroom::rehearsal {

namespace {

struct Physical {
    int device = 0;
    std::size_t bytes = 0;
    int references = 1;
    int mappings = 0;
};

struct Reserved {
    int device = 0;
    std::size_t bytes = 0;
};

struct MappedPiece {
    std::size_t bytes = 0;
    std::uint64_t handle = 0;
};

struct VirtualMemory {
    std::unordered_map<std::uint64_t, Physical> physical;
    std::map<std::uintptr_t, Reserved> reserved;
    std::map<std::uintptr_t, MappedPiece> mapped;
    std::uint64_t lastHandle = 0;

    void giveBackUnused(std::uint64_t handle)
    {
        const auto found = physical.find(handle);
        if (found->second.references > 0 || found->second.mappings > 0)
            return;
        giveDeviceBytes(found->second.device, found->second.bytes);
        physical.erase(found);
    }

    bool isReserved(std::uintptr_t address, std::size_t bytes) const
    {
        const auto after = reserved.upper_bound(address);
        if (after == reserved.begin())
            return false;
        const auto& [begin, stretch] = *std::prev(after);
        return address - begin < stretch.bytes && bytes <= stretch.bytes - (address - begin);
    }

    bool overlapsMapped(std::uintptr_t address, std::size_t bytes) const
    {
        const auto after = mapped.lower_bound(address + bytes);
        return after != mapped.begin() && std::prev(after)->first + std::prev(after)->second.bytes > address;
    }
};

constinit Lock virtualLock;

VirtualMemory& virtualMemory()
{
    static VirtualMemory& only = *new VirtualMemory;
    return only;
}

template <typename Work> int withMemory(Work work)
{
    const LockScope scope(virtualLock);
    return work(virtualMemory());
}

bool isWhole(std::size_t bytes)
{
    return bytes != 0 && bytes % kSegmentBytes == 0;
}

/// Whether pieces that were mapped as wholes make up [address, address + bytes) exactly.
bool areWholePieces(const VirtualMemory& memory, std::uintptr_t address, std::size_t bytes)
{
    const std::uintptr_t end = address + bytes;
    while (address < end) {
        const auto found = memory.mapped.find(address);
        if (found == memory.mapped.end())
            return false;
        address += found->second.bytes;
    }
    return address == end;
}

void unmapPiece(VirtualMemory& memory, std::uintptr_t address)
{
    const MappedPiece piece = memory.mapped.at(address);
    tellMemory(false, removeRange(address, MemoryKind::Device, MemoryOrigin::Mapping));
    closePages(address, piece.bytes);
    memory.mapped.erase(address);
    memory.physical.at(piece.handle).mappings -= 1;
    memory.giveBackUnused(piece.handle);
}

} // namespace

int makePhysical(int device, std::size_t bytes, std::uint64_t* handle)
{
    if (handle == nullptr || !isWhole(bytes))
        return cudaErrorInvalidValue;
    if (const int status = openDevice(device); status != cudaSuccess)
        return status;
    if (!takeDeviceBytes(device, bytes))
        return cudaErrorMemoryAllocation;
    return withMemory([&](VirtualMemory& memory) {
        *handle = ++memory.lastHandle;
        memory.physical[*handle] = {device, bytes};
        return cudaSuccess;
    });
}

int retainPhysical(std::uint64_t handle)
{
    return withMemory([&](VirtualMemory& memory) {
        const auto found = memory.physical.find(handle);
        if (found == memory.physical.end())
            return cudaErrorInvalidValue;
        found->second.references += 1;
        return cudaSuccess;
    });
}

int releasePhysical(std::uint64_t handle)
{
    return withMemory([&](VirtualMemory& memory) {
        const auto found = memory.physical.find(handle);
        if (found == memory.physical.end() || found->second.references == 0)
            return cudaErrorInvalidValue;
        found->second.references -= 1;
        memory.giveBackUnused(handle);
        return cudaSuccess;
    });
}

int physicalOf(const void* address, std::uint64_t* handle)
{
    return withMemory([&](VirtualMemory& memory) {
        const auto after = memory.mapped.upper_bound(reinterpret_cast<std::uintptr_t>(address));
        if (after == memory.mapped.begin())
            return cudaErrorInvalidValue;
        const auto& [begin, piece] = *std::prev(after);
        if (reinterpret_cast<std::uintptr_t>(address) - begin >= piece.bytes)
            return cudaErrorInvalidValue;
        *handle = piece.handle;
        memory.physical.at(piece.handle).references += 1;
        return cudaSuccess;
    });
}

int deviceOfPhysical(std::uint64_t handle)
{
    return withMemory([&](VirtualMemory& memory) {
        const auto found = memory.physical.find(handle);
        return found == memory.physical.end() ? -1 : found->second.device;
    });
}

int reserveAddresses(int device, std::size_t bytes, std::uintptr_t* address)
{
    if (address == nullptr || !isWhole(bytes))
        return cudaErrorInvalidValue;
    if (const int status = openDevice(device); status != cudaSuccess)
        return status;
    *address = placeDevice(device, bytes);
    return withMemory([&](VirtualMemory& memory) {
        memory.reserved[*address] = {device, bytes};
        return cudaSuccess;
    });
}

int freeAddresses(std::uintptr_t address, std::size_t bytes)
{
    return withMemory([&](VirtualMemory& memory) {
        const auto found = memory.reserved.find(address);
        if (found == memory.reserved.end() || found->second.bytes != bytes || memory.overlapsMapped(address, bytes))
            return cudaErrorInvalidValue;
        unplaceDevice(found->second.device, address, bytes);
        memory.reserved.erase(found);
        return cudaSuccess;
    });
}

int mapPhysical(std::uintptr_t address, std::size_t bytes, std::size_t offset, std::uint64_t handle)
{
    return withMemory([&](VirtualMemory& memory) {
        const auto found = memory.physical.find(handle);
        if (found == memory.physical.end() || offset != 0 || !isWhole(bytes) || bytes != found->second.bytes)
            return cudaErrorInvalidValue;
        if (!memory.isReserved(address, bytes) || memory.overlapsMapped(address, bytes))
            return cudaErrorInvalidValue;
        found->second.mappings += 1;
        memory.mapped[address] = {bytes, handle};
        MemoryRange range;
        range.kind = MemoryKind::Device;
        range.device = found->second.device;
        range.begin = address;
        range.bytes = range.askedBytes = bytes;
        range.origin = MemoryOrigin::Mapping;
        range.owner = reinterpret_cast<void*>(handle); // NOLINT(performance-no-int-to-ptr)
        addRange(range);
        tellMemory(true, range);
        return cudaSuccess;
    });
}

int unmapPhysical(std::uintptr_t address, std::size_t bytes)
{
    return withMemory([&](VirtualMemory& memory) {
        if (bytes == 0 || !areWholePieces(memory, address, bytes))
            return cudaErrorInvalidValue;
        for (const std::uintptr_t end = address + bytes; address < end;) {
            const std::size_t piece = memory.mapped.at(address).bytes;
            unmapPiece(memory, address);
            address += piece;
        }
        return cudaSuccess;
    });
}

} // namespace headroom::rehearsal
