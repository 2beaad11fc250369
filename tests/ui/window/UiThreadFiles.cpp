// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/window/UiThreadFiles.h"

#include <dlfcn.h>
#include <fcntl.h>

#include <array>
#include <cstdarg>
#include <cstdio>
#include <string_view>

namespace headroom::ui {
namespace {

thread_local std::vector<std::string>* t_opened = nullptr;

constexpr std::array<std::string_view, 9> kSystemFolders{
    "/usr/", "/etc/", "/proc/", "/sys/", "/dev/", "/lib/", "/var/cache/", "/run/", "/opt/"};

bool isOfTheSystem(std::string_view path)
{
    for (const std::string_view folder : kSystemFolders)
        if (path.substr(0, folder.size()) == folder)
            return true;
    return path.find("fontconfig") != std::string_view::npos || path.find("/fonts") != std::string_view::npos
        || path.find("/icons") != std::string_view::npos;
}

void look(const char* path)
{
    if (t_opened && path && !isOfTheSystem(path))
        t_opened->emplace_back(path);
}

template <typename Function> Function* next(const char* name)
{
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

mode_t modeOf(int flags, va_list arguments)
{
    const bool creates = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
    return creates ? va_arg(arguments, mode_t) : 0;
}

} // namespace

UiThreadFiles::UiThreadFiles()
{
    t_opened = new std::vector<std::string>;
}

UiThreadFiles::~UiThreadFiles()
{
    delete t_opened;
    t_opened = nullptr;
}

const std::vector<std::string>& UiThreadFiles::opened() const
{
    return *t_opened;
}

} // namespace headroom::ui

// NOLINTBEGIN: the C library's names and signatures
extern "C" {

#define HEADROOM_REPLACE_OPEN(name)                                                                                    \
    int name(const char* path, int flags, ...)                                                                         \
    {                                                                                                                  \
        headroom::ui::look(path);                                                                                      \
        va_list arguments;                                                                                             \
        va_start(arguments, flags);                                                                                    \
        const mode_t mode = headroom::ui::modeOf(flags, arguments);                                                    \
        va_end(arguments);                                                                                             \
        static auto* const original = headroom::ui::next<int(const char*, int, ...)>(#name);                           \
        return original(path, flags, mode);                                                                            \
    }

#define HEADROOM_REPLACE_OPENAT(name)                                                                                  \
    int name(int folder, const char* path, int flags, ...)                                                             \
    {                                                                                                                  \
        headroom::ui::look(path);                                                                                      \
        va_list arguments;                                                                                             \
        va_start(arguments, flags);                                                                                    \
        const mode_t mode = headroom::ui::modeOf(flags, arguments);                                                    \
        va_end(arguments);                                                                                             \
        static auto* const original = headroom::ui::next<int(int, const char*, int, ...)>(#name);                      \
        return original(folder, path, flags, mode);                                                                    \
    }

#define HEADROOM_REPLACE_FOPEN(name)                                                                                   \
    FILE* name(const char* path, const char* mode)                                                                     \
    {                                                                                                                  \
        headroom::ui::look(path);                                                                                      \
        static auto* const original = headroom::ui::next<FILE*(const char*, const char*)>(#name);                      \
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
