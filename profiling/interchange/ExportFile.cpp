// SPDX-License-Identifier: Apache-2.0
#include "profiling/interchange/ExportFile.h"

#include "core/config/Error.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace headroom::interchange {
namespace {

namespace fs = std::filesystem;

constexpr const char* kValid = "a file in a folder that exists and may be written, on a disk with free space";

FileError unwritable(const fs::path& path)
{
    return FileError("file cannot be written: " + std::generic_category().message(errno), path.string(), kValid);
}

bool isReplaceable(const fs::path& path)
{
    std::error_code unreachable; // says so when it is opened
    return !fs::exists(path, unreachable) || fs::is_regular_file(path, unreachable);
}

// The file that a link points to is replaced, not the link.
fs::path target(const fs::path& path)
{
    std::error_code ignored;
    const fs::path found = fs::weakly_canonical(path, ignored);
    return ignored || !isReplaceable(path) ? path : found;
}

} // namespace

ExportFile::ExportFile(const fs::path& path)
    : m_path(target(path))
    , m_part(isReplaceable(m_path) ? fs::path(m_path.string() + ".part") : m_path)
    , m_descriptor(::open(m_part.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | (m_part == m_path ? 0 : O_TRUNC), 0666))
{
    if (m_descriptor < 0)
        throw unwritable(m_path);
}

ExportFile::~ExportFile()
{
    close();
    std::error_code ignored;
    if (m_part != m_path && !m_isCommitted)
        fs::remove(m_part, ignored);
}

const fs::path& ExportFile::growing() const
{
    if (m_part == m_path)
        throw FileError("a database cannot be written to a pipe or a device", m_path.string(), kValid);
    return m_part;
}

void ExportFile::commit()
{
    flush();
    // A full disk may show only now; a pipe has nothing to be written back.
    if (::fsync(m_descriptor) != 0 && errno != EINVAL && errno != EROFS)
        throw unwritable(m_path);
    std::error_code noSize;
    const auto size = fs::file_size(m_part, noSize);
    m_size = noSize ? m_size : size;
    close();
    if (m_part != m_path && ::rename(m_part.c_str(), m_path.c_str()) != 0)
        throw unwritable(m_path);
    m_isCommitted = true;
}

void ExportFile::flush()
{
    for (std::size_t written = 0; written < m_pending.size();) {
        const ssize_t count = ::write(m_descriptor, m_pending.data() + written, m_pending.size() - written);
        if (count < 0 && errno != EINTR)
            throw unwritable(m_path);
        written += static_cast<std::size_t>(std::max<ssize_t>(0, count));
    }
    m_size += m_pending.size();
    m_pending.clear();
}

void ExportFile::close() noexcept
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
    m_descriptor = -1;
}

} // namespace headroom::interchange
