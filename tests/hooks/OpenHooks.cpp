// SPDX-License-Identifier: Apache-2.0
#include "tests/hooks/OpenHooks.h"

#include <dlfcn.h>
#include <fcntl.h>

#include <array>
#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

namespace headroom {
namespace {

// No memory is taken and nothing is locked here: open() is called from everywhere.
constinit std::array<std::atomic<OpenListener>, 4> g_listeners{};

template <typename Function> Function* nextNamed(const char* name)
{
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

mode_t creationMode(int flags, va_list arguments)
{
    const bool creates = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
    return creates ? va_arg(arguments, mode_t) : 0;
}

void tellOpened(const char* path, const void* caller)
{
    for (const auto& listener : g_listeners)
        if (const OpenListener tell = listener; tell != nullptr && path != nullptr)
            tell(path, caller);
}

} // namespace

void addOpenListener(OpenListener listener)
{
    for (auto& place : g_listeners) {
        OpenListener expected = nullptr;
        if (place == listener || place.compare_exchange_strong(expected, listener))
            return;
    }
    std::abort();
}

} // namespace headroom

// NOLINTBEGIN: the C library's names and signatures
extern "C" {

#define HEADROOM_REPLACE_OPEN(name)                                                                                    \
    int name(const char* path, int flags, ...)                                                                         \
    {                                                                                                                  \
        headroom::tellOpened(path, __builtin_return_address(0));                                                       \
        va_list arguments;                                                                                             \
        va_start(arguments, flags);                                                                                    \
        const mode_t mode = headroom::creationMode(flags, arguments);                                                  \
        va_end(arguments);                                                                                             \
        static auto* const original = headroom::nextNamed<int(const char*, int, ...)>(#name);                          \
        return original(path, flags, mode);                                                                            \
    }

#define HEADROOM_REPLACE_OPENAT(name)                                                                                  \
    int name(int folder, const char* path, int flags, ...)                                                             \
    {                                                                                                                  \
        headroom::tellOpened(path, __builtin_return_address(0));                                                       \
        va_list arguments;                                                                                             \
        va_start(arguments, flags);                                                                                    \
        const mode_t mode = headroom::creationMode(flags, arguments);                                                  \
        va_end(arguments);                                                                                             \
        static auto* const original = headroom::nextNamed<int(int, const char*, int, ...)>(#name);                     \
        return original(folder, path, flags, mode);                                                                    \
    }

#define HEADROOM_REPLACE_FOPEN(name)                                                                                   \
    FILE* name(const char* path, const char* mode)                                                                     \
    {                                                                                                                  \
        headroom::tellOpened(path, __builtin_return_address(0));                                                       \
        static auto* const original = headroom::nextNamed<FILE*(const char*, const char*)>(#name);                     \
        return original(path, mode);                                                                                   \
    }

HEADROOM_REPLACE_OPEN(open)
HEADROOM_REPLACE_OPEN(open64)
HEADROOM_REPLACE_OPENAT(openat)
HEADROOM_REPLACE_OPENAT(openat64)
HEADROOM_REPLACE_FOPEN(fopen)
HEADROOM_REPLACE_FOPEN(fopen64)
}
// NOLINTEND
