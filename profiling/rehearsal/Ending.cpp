// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/Ending.h"

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace headroom::rehearsal {

namespace {

constexpr int kExitCode = 70;

void write(const char* text)
{
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text, std::strlen(text));
}

/// The first word of a file in /proc, "unknown" without it.
struct SystemSetting {
    char text[32] = "unknown";

    explicit SystemSetting(const char* path)
    {
        const int file = ::open(path, O_RDONLY | O_CLOEXEC);
        if (file < 0)
            return;
        const auto length = ::read(file, text, sizeof text - 1);
        ::close(file);
        text[length > 0 ? length : 0] = '\0';
        text[std::strcspn(text, " \n")] = '\0';
    }
};

} // namespace

void endProcess(const char* format, ...)
{
    char text[1024];
    std::va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    write("headroom: rehearsal: ");
    write(text);
    write("\n");
    ::_exit(kExitCode);
}

void endAtLimit(const char* what, std::size_t bytes)
{
    const int reason = errno;
    rlimit addresses{};
    ::getrlimit(RLIMIT_AS, &addresses);
    char limit[32] = "unlimited";
    if (addresses.rlim_cur != RLIM_INFINITY)
        std::snprintf(limit, sizeof limit, "%llu kB", static_cast<unsigned long long>(addresses.rlim_cur / 1024));
    endProcess("this machine could not %s of %zu bytes (%s). Its limits: ulimit -v is %s, vm.overcommit_memory is %s, "
               "vm.max_map_count is %s",
        what, bytes, std::strerror(reason), limit, SystemSetting("/proc/sys/vm/overcommit_memory").text,
        SystemSetting("/proc/sys/vm/max_map_count").text);
}

} // namespace headroom::rehearsal
