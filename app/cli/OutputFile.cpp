// SPDX-License-Identifier: Apache-2.0
#include "app/cli/OutputFile.h"

#include "core/config/Error.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace headroom::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kValid = "a file in a folder that exists and may be written, on a disk with free space";

FileError unwritable(const fs::path& path)
{
    return FileError("file cannot be written: " + std::generic_category().message(errno), path.string(), kValid);
}

// Closes what it opened.
class Descriptor {
public:
    Descriptor(const fs::path& path, int flags)
        : m_path(path)
        , m_descriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0666))
    {
        if (m_descriptor < 0)
            throw unwritable(path);
    }
    ~Descriptor() { ::close(m_descriptor); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    void write(const std::string& text)
    {
        for (std::size_t written = 0; written < text.size();) {
            const ssize_t count = ::write(m_descriptor, text.data() + written, text.size() - written);
            if (count < 0 && errno != EINTR)
                throw unwritable(m_path);
            written += static_cast<std::size_t>(std::max<ssize_t>(0, count));
        }
    }

    // A full disk may show only now; a pipe has nothing to be written back.
    void synchronise()
    {
        if (::fsync(m_descriptor) != 0 && errno != EINVAL && errno != EROFS)
            throw unwritable(m_path);
    }

private:
    fs::path m_path;
    int m_descriptor;
};

bool isReplaceable(const fs::path& path)
{
    return !fs::exists(path) || fs::is_regular_file(path);
}

// The file that a link points to is replaced, not the link.
fs::path target(const fs::path& path)
{
    std::error_code ignored;
    const fs::path found = fs::weakly_canonical(path, ignored);
    return ignored || !isReplaceable(path) ? path : found;
}

} // namespace

ReplacedFile::ReplacedFile(const fs::path& path)
    : m_path(target(path))
    , m_part(isReplaceable(m_path) ? fs::path(m_path.string() + ".part") : m_path)
{
    const Descriptor probe(m_part, m_part == m_path ? 0 : O_TRUNC);
}

ReplacedFile::~ReplacedFile()
{
    std::error_code ignored;
    if (m_part != m_path)
        fs::remove(m_part, ignored);
}

void ReplacedFile::write(const std::string& text)
{
    {
        Descriptor file(m_part, O_TRUNC);
        file.write(text);
        file.synchronise();
    }
    if (m_part != m_path && ::rename(m_part.c_str(), m_path.c_str()) != 0)
        throw unwritable(m_path);
}

AppendedFile::AppendedFile(fs::path path)
    : m_path(std::move(path))
    , m_isUnusedNew(!fs::exists(m_path))
{
    const Descriptor probe(m_path, O_APPEND);
}

AppendedFile::~AppendedFile()
{
    std::error_code ignored;
    if (m_isUnusedNew)
        fs::remove(m_path, ignored);
}

std::size_t AppendedFile::size() const
{
    std::error_code noFile; // a pipe or a device holds nothing
    const auto bytes = fs::file_size(m_path, noFile);
    return noFile ? 0 : static_cast<std::size_t>(bytes);
}

void AppendedFile::append(const std::string& text)
{
    m_isUnusedNew = false;
    Descriptor(m_path, O_APPEND).write(text);
}

} // namespace headroom::cli
