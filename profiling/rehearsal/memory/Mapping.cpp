// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/memory/Mapping.h"

#include "profiling/rehearsal/Ending.h"

#include <cerrno>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

namespace headroom::rehearsal {

namespace {

constexpr int kReserved = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

// Addresses come from an account, not from a pointer.
void* pointer(std::uintptr_t address)
{
    return reinterpret_cast<void*>(address); // NOLINT(performance-no-int-to-ptr)
}

void adviseAgainstDumps(void* begin, std::size_t bytes)
{
    ::madvise(begin, bytes, MADV_DONTDUMP);
    ::madvise(begin, bytes, MADV_NOHUGEPAGE);
}

} // namespace

Mapped reserveAt(std::uintptr_t address, std::size_t bytes)
{
    void* got = ::mmap(pointer(address), bytes, PROT_NONE, kReserved | MAP_FIXED_NOREPLACE, -1, 0);
    if (got == MAP_FAILED && errno == EEXIST)
        return Mapped::Occupied;
    if (got == MAP_FAILED)
        endAtLimit("reserve address space for device memory", bytes);
    if (got != pointer(address)) {
        // A kernel before 4.17 takes the address as a hint.
        ::munmap(got, bytes);
        return Mapped::Occupied;
    }
    adviseAgainstDumps(got, bytes);
    return Mapped::Yes;
}

void openPages(std::uintptr_t address, std::size_t bytes)
{
    if (::mprotect(pointer(address), bytes, PROT_READ | PROT_WRITE) != 0)
        endAtLimit("keep small values in device memory", bytes);
}

void emptyPages(std::uintptr_t address, std::size_t bytes)
{
    ::madvise(pointer(address), bytes, MADV_DONTNEED);
}

void closePages(std::uintptr_t address, std::size_t bytes)
{
    void* got = ::mmap(pointer(address), bytes, PROT_NONE, kReserved | MAP_FIXED, -1, 0);
    if (got == MAP_FAILED)
        endAtLimit("close device memory", bytes);
    adviseAgainstDumps(got, bytes);
}

void unmap(std::uintptr_t address, std::size_t bytes)
{
    ::munmap(pointer(address), bytes);
}

std::uintptr_t mapHost(std::size_t bytes)
{
    void* got = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, kReserved, -1, 0);
    return got == MAP_FAILED ? 0 : reinterpret_cast<std::uintptr_t>(got);
}

std::size_t pageBytes()
{
    static const auto bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    return bytes;
}

} // namespace headroom::rehearsal
