// SPDX-License-Identifier: Apache-2.0
//
// What the standard library would bring in otherwise: exceptions, and with them an unwinder that needs a newer C
// library. In the shared libraries alone; what fails here ends the process.
#include "profiling/rehearsal/Ending.h"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <sched.h>

using headroom::rehearsal::endProcess;

namespace {

void* allocate(std::size_t bytes)
{
    void* memory = std::malloc(bytes == 0 ? 1 : bytes);
    if (memory == nullptr)
        endProcess("no memory for %zu bytes of the card's own books", bytes);
    return memory;
}

} // namespace

extern "C" {

/// Shared pointers ask whether the process has one thread. It may have several.
char __libc_single_threaded = 0;

/// Objects of a thread stay when it ends: to be told of that needs a newer C library.
int __cxa_thread_atexit(void (* /*destroy*/)(void*), void* /*object*/, void* /*library*/)
{
    return 0;
}

/// Nothing is thrown here, so nothing is caught on the way through.
int __gxx_personality_v0(...)
{
    constexpr int kContinueUnwinding = 8;
    return kContinueUnwinding;
}

/// Statics of functions: the first byte says that one is made (Itanium C++ ABI, 3.3.3), the second that somebody makes
/// it.
int __cxa_guard_acquire(std::uint64_t* guard)
{
    auto* bytes = reinterpret_cast<std::atomic<std::uint8_t>*>(guard);
    while (bytes[1].exchange(1, std::memory_order_acquire) != 0) {
        if (bytes[0].load(std::memory_order_acquire) != 0)
            return 0;
        ::sched_yield();
    }
    if (bytes[0].load(std::memory_order_acquire) == 0)
        return 1;
    bytes[1].store(0, std::memory_order_release);
    return 0;
}

void __cxa_guard_release(std::uint64_t* guard)
{
    auto* bytes = reinterpret_cast<std::atomic<std::uint8_t>*>(guard);
    bytes[0].store(1, std::memory_order_release);
    bytes[1].store(0, std::memory_order_release);
}

} // extern "C"

void* operator new(std::size_t bytes)
{
    return allocate(bytes);
}

void* operator new[](std::size_t bytes)
{
    return allocate(bytes);
}

void* operator new(std::size_t bytes, const std::nothrow_t& /*tag*/) noexcept
{
    return std::malloc(bytes == 0 ? 1 : bytes);
}

void operator delete(void* memory) noexcept
{
    std::free(memory);
}

void operator delete[](void* memory) noexcept
{
    std::free(memory);
}

void operator delete(void* memory, std::size_t /*bytes*/) noexcept
{
    std::free(memory);
}

void operator delete[](void* memory, std::size_t /*bytes*/) noexcept
{
    std::free(memory);
}

namespace std {

/// std::make_shared recognises its own parts by this where there is no type information.
bool _Sp_make_shared_tag::_S_eq(const type_info& /*type*/) noexcept
{
    return false;
}

void __throw_length_error(const char* what)
{
    endProcess("a length that cannot be: %s", what);
}

void __throw_logic_error(const char* what)
{
    endProcess("a fault in the card's own books: %s", what);
}

void __throw_out_of_range(const char* what)
{
    endProcess("a fault in the card's own books: %s", what);
}

void __throw_out_of_range_fmt(const char* what, ...)
{
    endProcess("a fault in the card's own books: %s", what);
}

void __throw_bad_alloc()
{
    endProcess("no memory for the card's own books");
}

void __throw_bad_array_new_length()
{
    endProcess("no memory for the card's own books");
}

void __throw_bad_function_call()
{
    endProcess("a fault in the card's own books: an empty function was called");
}

void __throw_bad_optional_access()
{
    endProcess("a fault in the card's own books: an empty value was asked for");
}

void __throw_system_error(int error)
{
    endProcess("a lock of the card failed (%d)", error);
}

} // namespace std
