// SPDX-License-Identifier: Apache-2.0
#include "profiling/interchange/OutputDescriptor.h"

#include "core/config/Error.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <system_error>
#include <thread>

namespace headroom::interchange {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kReaderMayCome{500}; ///< that is just being started
constexpr milliseconds kReaderMayRead{2000}; ///< after a stop was requested
constexpr milliseconds kLook{50};

constexpr const char* kValidOutput = "a file in a folder that exists and may be written, on a disk with free space";

FileError unwritableOutput(const fs::path& name, const std::string& why)
{
    return FileError("file cannot be written: " + why, name.string(), kValidOutput);
}

FileError unwritableOutput(const fs::path& name)
{
    return unwritableOutput(name, std::generic_category().message(errno));
}

bool isPipe(const fs::path& path)
{
    std::error_code absent;
    return fs::is_fifo(path, absent);
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

OutputDescriptor::OutputDescriptor(const fs::path& path, Start start, fs::path name, std::stop_token stop)
    : m_name(std::move(name))
    , m_stop(std::move(stop))
{
    // What is a pipe or a device must not wait; of regular files nothing changes.
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
            throw unwritableOutput(m_name);
        if (m_stop.stop_requested() || Clock::now() >= end)
            throw FileError("file cannot be written: nobody reads this pipe", m_name.string(),
                "a pipe with a reader (cat PIPE &), or a file");
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
            throw unwritableOutput(m_name);
    }
}

void OutputDescriptor::clear()
{
    struct stat status{};
    if (::fstat(m_descriptor, &status) != 0 || !S_ISREG(status.st_mode))
        return;
    if (::ftruncate(m_descriptor, 0) != 0 || ::lseek(m_descriptor, 0, SEEK_SET) != 0)
        throw unwritableOutput(m_name);
}

void OutputDescriptor::awaitReader() const
{
    std::optional<Clock::time_point> end;
    pollfd poll{m_descriptor, POLLOUT, 0};
    while (::poll(&poll, 1, static_cast<int>(kLook.count())) <= 0) {
        if (!end && m_stop.stop_requested())
            end = Clock::now() + kReaderMayRead;
        if (end && Clock::now() >= *end)
            throw FileError("file cannot be written: its reader does not read, and the run was stopped",
                m_name.string(), "a reader that reads to the end, or a file");
    }
}

void OutputDescriptor::synchronise()
{
    // Pipes and some devices have nothing to be written back.
    if (::fsync(m_descriptor) != 0 && errno != EINVAL && errno != EROFS)
        throw unwritableOutput(m_name);
}

std::uint64_t OutputDescriptor::size() const
{
    struct stat status{};
    const bool isKnown = ::fstat(m_descriptor, &status) == 0 && S_ISREG(status.st_mode);
    return isKnown ? static_cast<std::uint64_t>(status.st_size) : 0;
}

bool isReplaceable(const fs::path& path)
{
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::none)
        throw unwritableOutput(path, error.message());
    return !fs::exists(status) || fs::is_regular_file(status);
}

} // namespace headroom::interchange
