// SPDX-License-Identifier: Apache-2.0
#include "core/base/ReplacedFile.h"

#include "core/base/Error.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <system_error>

namespace headroom::interchange {
namespace {

namespace fs = std::filesystem;

constexpr const char* kValid = "a file in a folder that exists and may be written, on a disk with free space";

// The file that a link points to is replaced or made, not the link.
fs::path target(const fs::path& path)
{
    if (!isReplaceable(path))
        return path;
    std::error_code ignored;
    const fs::path found = fs::weakly_canonical(behindLinks(path), ignored);
    return ignored ? path : found;
}

// Of this process and this file alone: others may be writing the same one.
fs::path partOf(const fs::path& path)
{
    static std::atomic<unsigned> number = 0;
    return path.string() + "." + std::to_string(::getpid()) + "-" + std::to_string(number++) + ".part";
}

} // namespace

ExportFile::ExportFile(const fs::path& path, std::stop_token stop)
    : m_path(target(path))
    , m_part(isReplaceable(m_path) ? partOf(m_path) : m_path)
{
    m_file.emplace(m_part, OutputDescriptor::Start::Truncated, m_path, std::move(stop));
}

ExportFile::~ExportFile()
{
    m_file.reset();
    std::error_code ignored;
    if (!isDirect() && !m_isCommitted)
        fs::remove(m_part, ignored);
}

const fs::path& ExportFile::growing() const
{
    if (isDirect())
        throw FileError("a database cannot be written to a pipe or a device", m_path.string(), kValid);
    return m_part;
}

void ExportFile::commit()
{
    flush();
    m_file->synchronise();
    if (!isDirect())
        m_size = m_file->size();
    m_file.reset();
    if (!isDirect() && ::rename(m_part.c_str(), m_path.c_str()) != 0)
        throw FileError("file cannot be written: " + std::generic_category().message(errno), m_path.string(), kValid);
    m_isCommitted = true;
}

void ExportFile::flush()
{
    m_file->write(m_pending);
    m_size += m_pending.size();
    m_pending.clear();
}

} // namespace headroom::interchange
