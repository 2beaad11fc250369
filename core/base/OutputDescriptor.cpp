// SPDX-License-Identifier: Apache-2.0
#include "core/base/OutputDescriptor.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

namespace headroom {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kReaderMayCome{500}; ///< for a reader that is just being started
constexpr milliseconds kReaderMayRead{2000}; ///< after a stop was requested
constexpr milliseconds kLook{50};

bool isPipe(const fs::path& path)
{
    std::error_code absent;
    return fs::is_fifo(path, absent);
}

bool isSame(int descriptor, const struct stat& named)
{
    struct stat open{};
    return ::fstat(descriptor, &open) == 0 && open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

// Standard output or error if it is this regular file, else -1. Opening the file again would create a second file
// offset, and the two would overwrite each other.
int standardDescriptorOf(const fs::path& path)
{
    struct stat named{};
    if (::stat(path.c_str(), &named) != 0 || !S_ISREG(named.st_mode))
        return -1;
    for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO})
        if (isSame(descriptor, named) && (::fcntl(descriptor, F_GETFL) & O_ACCMODE) != O_RDONLY)
            return descriptor;
    return -1;
}

int flagOf(OutputDescriptor::Start start)
{
    switch (start) {
    case OutputDescriptor::Start::Truncated:
        return O_TRUNC;
    case OutputDescriptor::Start::AtEnd:
        return O_APPEND;
    case OutputDescriptor::Start::Kept:
        break;
    }
    return 0;
}

} // namespace

UnwritableFile::UnwritableFile(const fs::path& name, const std::string& why, const std::string& valid)
    : FileError("file cannot be written: " + why, name.string(), valid)
    , m_why(why)
{
}

UnwritableFile failedOutput(const fs::path& name)
{
    return {name, std::generic_category().message(errno)};
}

OutputDescriptor::OutputDescriptor(const fs::path& path, Start start, fs::path name, std::stop_token stop)
    : m_name(std::move(name))
    , m_stop(std::move(stop))
{
    if (const int standard = standardDescriptorOf(path); standard >= 0) {
        m_isShared = true;
        m_descriptor = ::fcntl(standard, F_DUPFD_CLOEXEC, 0);
        if (m_descriptor < 0)
            throw failedOutput(m_name);
        return;
    }
    // Opening a pipe or a device must not block; O_NONBLOCK does not affect regular files.
    open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | flagOf(start));
}

OutputDescriptor::~OutputDescriptor()
{
    ::close(m_descriptor);
}

void OutputDescriptor::open(const fs::path& path, int flags)
{
    const auto end = Clock::now() + kReaderMayCome;
    while ((m_descriptor = ::open(path.c_str(), flags, 0666)) < 0) {
        if (errno == EINTR)
            continue;
        if (errno != ENXIO || !isPipe(path))
            throw failedOutput(m_name);
        if (m_stop.stop_requested() || Clock::now() >= end)
            throw UnwritableFile(m_name, "nobody reads this pipe", "a pipe with a reader (cat PIPE &), or a file");
        std::this_thread::sleep_for(kLook);
    }
}

void OutputDescriptor::write(std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t count = ::write(m_descriptor, bytes.data(), bytes.size());
        if (count >= 0)
            bytes.remove_prefix(static_cast<std::size_t>(count));
        else if (errno == EAGAIN)
            awaitReader();
        else if (errno != EINTR)
            throw failedOutput(m_name);
    }
}

void OutputDescriptor::clear()
{
    struct stat status{};
    if (m_isShared || ::fstat(m_descriptor, &status) != 0 || !S_ISREG(status.st_mode))
        return;
    if (::ftruncate(m_descriptor, 0) != 0 || ::lseek(m_descriptor, 0, SEEK_SET) != 0)
        throw failedOutput(m_name);
}

void OutputDescriptor::awaitReader() const
{
    std::optional<Clock::time_point> end;
    pollfd poll{m_descriptor, POLLOUT, 0};
    while (::poll(&poll, 1, static_cast<int>(kLook.count())) <= 0) {
        if (!end && m_stop.stop_requested())
            end = Clock::now() + kReaderMayRead;
        if (end && Clock::now() >= *end)
            throw UnwritableFile(m_name, "its reader does not read, and the run was stopped",
                "a reader that reads to the end, or a file");
    }
}

void OutputDescriptor::synchronise()
{
    // Pipes and some devices cannot be synchronised.
    if (::fsync(m_descriptor) != 0 && errno != EINVAL && errno != EROFS)
        throw failedOutput(m_name);
}

void OutputDescriptor::hold() const
{
    ::flock(m_descriptor, LOCK_EX | LOCK_NB);
}

void OutputDescriptor::letGo() const
{
    ::flock(m_descriptor, LOCK_UN);
}

std::uint64_t OutputDescriptor::size() const
{
    struct stat status{};
    const bool isKnown = ::fstat(m_descriptor, &status) == 0 && S_ISREG(status.st_mode);
    return isKnown ? static_cast<std::uint64_t>(status.st_size) : 0;
}

bool OutputDescriptor::isNamed(const fs::path& path) const
{
    struct stat named{};
    return ::stat(path.c_str(), &named) == 0 && isSame(m_descriptor, named);
}

bool isReplaceable(const fs::path& path)
{
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::none)
        throw UnwritableFile(path, error.message());
    return !fs::exists(status) || (fs::is_regular_file(status) && standardDescriptorOf(path) < 0);
}

bool isBeingWritten(const fs::path& path)
{
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    const bool isFree = descriptor >= 0 && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
    if (descriptor >= 0)
        ::close(descriptor);
    return !isFree;
}

fs::path behindLinks(fs::path path)
{
    constexpr int kMostLinks = 40; // Linux's own limit
    std::error_code none;
    for (int links = 0; links < kMostLinks && fs::is_symlink(path, none); ++links) {
        const fs::path next = fs::read_symlink(path, none);
        path = next.is_absolute() ? next : path.parent_path() / next;
    }
    return path;
}

} // namespace headroom
