// SPDX-License-Identifier: Apache-2.0
#include "core/toml/InputText.h"

#include "core/base/Error.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <utility>

namespace headroom {
namespace {

// A writer that is just being started opens a named pipe a moment later.
constexpr std::chrono::milliseconds kWriterMayCome{500};

/// A file that is read from its beginning; nobody who says nothing is waited for for ever.
class InputFile {
public:
    InputFile(
        const std::filesystem::path& path, std::string what, std::string valid, std::chrono::milliseconds patience)
        : m_path(path)
        , m_what(std::move(what))
        , m_valid(std::move(valid))
        , m_patience(patience)
    {
        // Opening a device may do something already.
        requireReadable(::stat(path.c_str(), &m_status));
        m_descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        if (m_descriptor < 0)
            refuse("");
        requireReadable(::fstat(m_descriptor, &m_status));
    }
    ~InputFile()
    {
        if (m_descriptor >= 0)
            ::close(m_descriptor);
    }
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

    std::string contents()
    {
        std::string text;
        std::array<char, 1 << 16> buffer{};
        for (std::size_t count = 0; (count = next(buffer.data(), buffer.size())) > 0;) {
            text.append(buffer.data(), count);
            if (text.size() > kLargestInput)
                refuse(": it has more than " + std::to_string(kLargestInput >> 20) + " MiB");
        }
        return text;
    }

private:
    void requireReadable(int failure)
    {
        if (failure != 0 || S_ISDIR(m_status.st_mode))
            refuse("");
        if (!S_ISREG(m_status.st_mode) && !S_ISFIFO(m_status.st_mode))
            refuse(": it is no regular file");
    }

    [[noreturn]] void refuse(const std::string& why)
    {
        if (m_descriptor >= 0)
            ::close(std::exchange(m_descriptor, -1));
        throw FileError(m_what + " cannot be read" + why, m_path.string(), m_valid);
    }

    // Bytes that were read; 0 at the end.
    std::size_t next(char* buffer, std::size_t size)
    {
        for (;;) {
            const ssize_t count = ::read(m_descriptor, buffer, size);
            if (count > 0)
                return static_cast<std::size_t>(count);
            if (count == 0 && (!S_ISFIFO(m_status.st_mode) || hasEnded()))
                return 0;
            if (count < 0 && errno == EAGAIN)
                awaitWriter();
            else if (count < 0 && errno != EINTR)
                refuse("");
        }
    }

    void awaitWriter()
    {
        if (await(m_patience) == 0)
            refuse(fmt::format(
                ": its writer says nothing (waited {:g} s)", std::chrono::duration<double>(m_patience).count()));
        m_isAbandoned = false;
    }

    // Nothing to be read and no writer: a pipe says so when the last one has gone, and before the first one has come.
    bool hasEnded()
    {
        if (m_isAbandoned)
            refuse(": nobody writes to this pipe");
        const int seen = await(kWriterMayCome);
        m_isAbandoned = seen == 0;
        return seen == POLLHUP;
    }

    int await(std::chrono::milliseconds patience)
    {
        pollfd poll{m_descriptor, POLLIN, 0};
        while (::poll(&poll, 1, static_cast<int>(patience.count())) < 0 && errno == EINTR) { }
        return poll.revents;
    }

    std::filesystem::path m_path;
    std::string m_what;
    std::string m_valid;
    std::chrono::milliseconds m_patience;
    struct stat m_status{};
    int m_descriptor = -1;
    bool m_isAbandoned = false; ///< a writer was waited for in vain
};

} // namespace

std::string readInputText(const std::filesystem::path& file, const std::string& what, const std::string& valid,
    std::chrono::milliseconds patience)
{
    return InputFile(file, what, valid, patience).contents();
}

} // namespace headroom
