// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/Devices.h"

#include "profiling/rehearsal/Account.h"
#include "profiling/rehearsal/Card.h"
#include "profiling/rehearsal/Lock.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <driver_types.h>
#include <pthread.h>

namespace headroom::rehearsal {

namespace {

constinit thread_local int threadDevice = 0;
constinit thread_local bool threadOpened = false;
constinit std::atomic<bool> isOpened[kMostDevices] = {};
constinit std::atomic<bool> isLostInFork = false;
constinit Lock openingLock;

void loseInFork()
{
    isLostInFork.store(true);
}

int openFirst(int device)
{
    static bool hears = [] { return ::pthread_atfork(nullptr, nullptr, loseInFork) == 0; }();
    static_cast<void>(hears);
    if (!takeDeviceBytes(device, card().contextBytes))
        return cudaErrorMemoryAllocation;
    isOpened[device].store(true);
    return cudaSuccess;
}

} // namespace

int deviceCount()
{
    return hasCard() ? std::min(card().count, kMostDevices) : 0;
}

int currentDevice()
{
    return threadDevice;
}

int setCurrentDevice(int device)
{
    if (deviceCount() == 0)
        return cudaErrorNoDevice;
    if (device < 0 || device >= deviceCount())
        return cudaErrorInvalidDevice;
    threadDevice = device;
    return cudaSuccess;
}

int openDevice(int device)
{
    if (deviceCount() == 0)
        return cudaErrorNoDevice;
    if (device < 0 || device >= deviceCount())
        return cudaErrorInvalidDevice;
    // What a child of a process that used the card inherits is not its own.
    if (isLostInFork.load(std::memory_order_relaxed))
        return cudaErrorInitializationError;
    threadOpened = true;
    if (isOpened[device].load(std::memory_order_acquire))
        return cudaSuccess;
    const LockScope scope(openingLock);
    return isOpened[device].load() ? static_cast<int>(cudaSuccess) : openFirst(device);
}

bool& hasThreadOpened()
{
    return threadOpened;
}

bool isOpen(int device)
{
    return device >= 0 && device < kMostDevices && isOpened[device].load();
}

void pciBusId(int device, char* text, std::size_t bytes)
{
    std::snprintf(text, bytes, "0000:%02X:00.0", device + 1);
}

int deviceWithPciBusId(const char* text)
{
    unsigned domain = 0;
    unsigned bus = 0;
    unsigned slot = 0;
    const bool isAddress = std::sscanf(text, "%x:%x:%x", &domain, &bus, &slot) == 3;
    const int device = static_cast<int>(bus) - 1;
    return isAddress && domain == 0 && slot == 0 && device >= 0 && device < deviceCount() ? device : -1;
}

void deviceUuid(int device, unsigned char* bytes)
{
    // FNV-1a of the name, twice with another start.
    std::uint64_t hash[2] = {0xcbf29ce484222325, 0x84222325cbf29ce4};
    for (std::uint64_t& half : hash) {
        for (const char letter : card().name)
            half = (half ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
        half = (half ^ static_cast<std::uint64_t>(device)) * 0x100000001b3;
    }
    std::memcpy(bytes, hash, sizeof hash);
}

} // namespace headroom::rehearsal
