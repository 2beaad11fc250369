// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/memory/DeviceMemory.h"

#include "profiling/rehearsal/Account.h"
#include "profiling/rehearsal/Card.h"
#include "profiling/rehearsal/Devices.h"
#include "profiling/rehearsal/Lock.h"
#include "profiling/rehearsal/memory/Mapping.h"
#include "profiling/rehearsal/memory/MemoryMap.h"
#include "profiling/simulator/SegmentPlacement.h"

#include <driver_types.h>

namespace headroom::rehearsal {

namespace {

using config::SegmentAddresses;
using simulator::SegmentPlacement;

/// Where the placement's addresses, which end at 2^47, lie in a real process: below all that Linux gives out by itself,
/// wherever the address space is shuffled to, and each device below the last.
constexpr std::uintptr_t kHighestPlaced = std::uintptr_t{1} << 47;
constexpr std::uintptr_t kHighestReal = 0x7ef000000000;
constexpr std::uintptr_t kBytesPerDevice = std::uintptr_t{1} << 39;

class DeviceAddresses {
public:
    explicit DeviceAddresses(int device)
        : m_placement(card().ascendingSegments ? SegmentAddresses::Ascending : SegmentAddresses::Linux)
        , m_offset(kBytesPerDevice * static_cast<std::uintptr_t>(device))
    {
        if (card().ascendingSegments)
            m_offset = -m_offset;
        else
            m_offset += kHighestPlaced - kHighestReal;
    }

    std::uintptr_t reserve(std::size_t bytes)
    {
        // What is occupied stays placed: nothing else is put there then.
        while (true) {
            const std::uintptr_t address = m_placement.place(static_cast<Bytes>(bytes)) - m_offset;
            if (reserveAt(address, bytes) == Mapped::Yes)
                return address;
        }
    }

    void release(std::uintptr_t address, std::size_t bytes)
    {
        unmap(address, bytes);
        m_placement.giveBack(address + m_offset);
    }

private:
    SegmentPlacement m_placement;
    std::uintptr_t m_offset; ///< from the real address to the placed one
};

constinit Lock addressesLock;

DeviceAddresses& addressesOf(int device)
{
    static DeviceAddresses* all[kMostDevices] = {};
    DeviceAddresses*& mine = all[device];
    if (mine == nullptr)
        mine = new DeviceAddresses(device);
    return *mine;
}

} // namespace

std::uintptr_t placeDevice(int device, std::size_t bytes)
{
    const LockScope scope(addressesLock);
    return addressesOf(device).reserve(bytes);
}

void unplaceDevice(int device, std::uintptr_t address, std::size_t bytes)
{
    const LockScope scope(addressesLock);
    addressesOf(device).release(address, bytes);
}

int allocateDevice(int device, std::size_t bytes, void** address)
{
    if (address == nullptr)
        return cudaErrorInvalidValue;
    *address = nullptr;
    if (const int status = openDevice(device); status != cudaSuccess || bytes == 0)
        return status;
    if (bytes > card().totalBytes)
        return cudaErrorMemoryAllocation;
    const std::size_t segment = (bytes + kSegmentBytes - 1) / kSegmentBytes * kSegmentBytes;
    if (!takeDeviceBytes(device, segment))
        return cudaErrorMemoryAllocation;
    MemoryRange range;
    range.kind = MemoryKind::Device;
    range.device = device;
    range.begin = placeDevice(device, segment);
    range.bytes = segment;
    range.askedBytes = bytes;
    addRange(range);
    *address = reinterpret_cast<void*>(range.begin); // NOLINT(performance-no-int-to-ptr)
    tellMemory(true, range);
    return cudaSuccess;
}

int freeDevice(void* address)
{
    if (address == nullptr)
        return cudaSuccess;
    const MemoryRange range = removeRange(reinterpret_cast<std::uintptr_t>(address), MemoryKind::Device);
    if (range.kind == MemoryKind::Unregistered)
        return cudaErrorInvalidValue;
    tellMemory(false, range);
    unplaceDevice(range.device, range.begin, range.bytes);
    giveDeviceBytes(range.device, range.bytes);
    return cudaSuccess;
}

} // namespace headroom::rehearsal
