// SPDX-License-Identifier: Apache-2.0
#include "experiments/rehearsal/isolation/ForkedCalls.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>

namespace headroom::experiments {
namespace {

// Of the kernel; the C library does not show it.
struct FolderEntry {
    std::uint64_t inode;
    std::int64_t offset;
    std::uint16_t bytes;
    std::uint8_t type;
    char name[1];
};
constexpr std::uint8_t kFolder = 4;
constexpr std::size_t kNameAt = offsetof(FolderEntry, name);

// Calls `visit` with the type and name of each entry. A template, as a std::function may allocate.
template <typename Visit> void visitEntries(int folder, const Visit& visit)
{
    alignas(FolderEntry) char entries[4096];
    for (;;) {
        const long bytes = ::syscall(SYS_getdents64, folder, entries, sizeof(entries));
        if (bytes <= 0)
            return;
        for (long at = 0; at < bytes;) {
            const char* const entry = entries + at;
            std::uint16_t length = 0;
            std::memcpy(&length, entry + offsetof(FolderEntry, bytes), sizeof(length));
            const char* const name = entry + kNameAt;
            if (std::strcmp(name, ".") != 0 && std::strcmp(name, "..") != 0)
                visit(static_cast<std::uint8_t>(entry[offsetof(FolderEntry, type)]), name);
            at += length;
        }
    }
}

pid_t numberIn(const char* text)
{
    pid_t number = 0;
    for (; *text >= '0' && *text <= '9'; ++text)
        number = number * 10 + (*text - '0');
    return *text == '\0' || *text == ' ' ? number : 0;
}

int openedFolder(int parent, const char* name)
{
    open_how how{};
    how.flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    how.resolve = RESOLVE_NO_XDEV | RESOLVE_NO_SYMLINKS;
    return static_cast<int>(::syscall(SYS_openat2, parent, name, &how, sizeof(how)));
}

} // namespace

void report(int pipe, const LaunchReport& report)
{
    while (::write(pipe, &report, sizeof(report)) < 0 && errno == EINTR) { }
}

bool writeTo(const char* path, const char* text, std::size_t length)
{
    const int file = ::open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    const bool isWritten = ::write(file, text, length) == static_cast<ssize_t>(length);
    const int error = errno;
    ::close(file);
    errno = error;
    return isWritten;
}

ProcessFile::ProcessFile(pid_t process, const char* file)
{
    char digits[16];
    char* first = digits + sizeof(digits) - 1;
    *first = '\0';
    for (unsigned left = static_cast<unsigned>(process); left > 0; left /= 10)
        *--first = static_cast<char>('0' + left % 10);
    char* end = m_path;
    for (const char* part : {"/proc/", static_cast<const char*>(first), "/", file})
        for (; *part != '\0' && end < m_path + sizeof(m_path) - 1; ++part)
            *end++ = *part;
    *end = '\0';
}

// "42 (name) S 41 ...": the name may have brackets and blanks of its own.
pid_t parentOf(pid_t process)
{
    const int file = ::open(ProcessFile(process, "stat").path(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    char text[512];
    const ssize_t length = ::read(file, text, sizeof(text) - 1);
    ::close(file);
    if (length <= 0)
        return 0;
    text[length] = '\0';
    const char* const name = std::strrchr(text, ')');
    return name != nullptr && std::strlen(name) > 4 ? numberIn(name + 4) : 0;
}

void killChildrenOf(pid_t parent)
{
    const int processes = ::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    visitEntries(processes, [&](std::uint8_t, const char* name) {
        if (const pid_t process = numberIn(name); process > 0 && parentOf(process) == parent)
            ::kill(process, SIGKILL);
    });
    ::close(processes);
}

// While entries are removed the kernel may skip some, so it is read until there are none; an entry that stays ends it.
bool removeFolder(int parent, const char* name)
{
    int folder = openedFolder(parent, name);
    if (folder < 0 && errno == EACCES && ::fchmodat(parent, name, 0700, 0) == 0)
        folder = openedFolder(parent, name);
    if (folder >= 0) {
        ::fchmod(folder, 0700);
        bool isChanged = true;
        while (isChanged) {
            isChanged = false;
            ::lseek(folder, 0, SEEK_SET);
            visitEntries(folder, [&](std::uint8_t type, const char* entry) {
                if (type == kFolder ? removeFolder(folder, entry) : ::unlinkat(folder, entry, 0) == 0)
                    isChanged = true;
            });
        }
        ::close(folder);
    }
    return ::unlinkat(parent, name, AT_REMOVEDIR) == 0;
}

void closeAllBut(std::array<int, 3> kept)
{
    std::ranges::sort(kept);
    unsigned next = 3;
    for (const int one : kept) {
        if (one > static_cast<int>(next))
            ::syscall(SYS_close_range, next, static_cast<unsigned>(one) - 1, 0);
        if (one >= static_cast<int>(next))
            next = static_cast<unsigned>(one) + 1;
    }
    ::syscall(SYS_close_range, next, ~0U, 0);
}

} // namespace headroom::experiments
