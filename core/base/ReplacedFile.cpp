// SPDX-License-Identifier: Apache-2.0
#include "core/base/ReplacedFile.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <optional>
#include <regex>
#include <string>
#include <system_error>
#include <utility>

namespace headroom {
namespace {

namespace fs = std::filesystem;

// A link's target is replaced or created, not the link.
fs::path replacedPath(const fs::path& path)
{
    if (!isReplaceable(path))
        return path;
    std::error_code ignored;
    const fs::path found = fs::weakly_canonical(behindLinks(path), ignored);
    return ignored ? path : found;
}

// A name unique to this process and file: other processes may be writing the same file.
fs::path partOf(const fs::path& path)
{
    static std::atomic<unsigned> number = 0;
    return path.string() + "." + std::to_string(::getpid()) + "-" + std::to_string(number++) + ".part";
}

// Of the process that writes "a.4711-0.part"; nothing where the file is none of ours.
std::optional<pid_t> writerOf(const std::string& part, const std::string& target)
{
    static const std::regex kRest(R"(\.(\d{1,9})-\d{1,9}\.part)");
    std::smatch match;
    const std::string rest = part.starts_with(target) ? part.substr(target.size()) : "";
    return std::regex_match(rest, match, kRest) ? std::optional(std::stoi(match[1].str())) : std::nullopt;
}

// Ids of processes mean nothing in another container, so the file has to be let go too.
bool isLeft(const fs::path& part, const std::string& target)
{
    const auto writer = writerOf(part.filename().string(), target);
    return writer && ::kill(*writer, 0) != 0 && errno == ESRCH && !isBeingWritten(part);
}

// What processes that were killed had written in the place of this file.
void removeLeftParts(const fs::path& path)
{
    std::error_code ignored;
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    const std::string target = path.filename().string();
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
        if (isLeft(entry.path(), target))
            fs::remove(entry.path(), ignored);
}

} // namespace

ReplacedFile::ReplacedFile(const fs::path& path, std::stop_token stop)
    : m_name(path)
    , m_path(replacedPath(path))
    , m_part(isReplaceable(m_path) ? partOf(m_path) : m_path)
{
    // Renaming over a file needs write access to its folder only, but a read-only file is meant to be kept.
    if (!isDirect() && ::faccessat(AT_FDCWD, m_path.c_str(), W_OK, AT_EACCESS) != 0 && errno != ENOENT)
        throw failedOutput(m_name);
    if (!isDirect())
        removeLeftParts(m_path);
    m_file.emplace(m_part, OutputDescriptor::Start::Truncated, m_name, std::move(stop));
    if (!isDirect())
        m_file->hold();
    takePermissions();
}

ReplacedFile::~ReplacedFile()
{
    m_file.reset();
    std::error_code ignored;
    if (!isDirect() && !m_isCommitted)
        fs::remove(m_part, ignored);
}

// Some file systems do not support permissions.
void ReplacedFile::takePermissions()
{
    std::error_code ignored;
    const fs::file_status former = fs::status(m_path, ignored);
    if (!isDirect() && fs::exists(former))
        fs::permissions(m_part, former.permissions() & fs::perms::all, ignored);
}

const fs::path& ReplacedFile::growing() const
{
    if (isDirect())
        throw FileError("a database cannot be written to a pipe or a device", m_name.string(), kValidOutput);
    m_file->letGo(); // on a network file system this lock and SQLite's are of one kind
    return m_part;
}

void ReplacedFile::commit()
{
    flush({});
    m_file->synchronise();
    if (!isDirect())
        m_size = m_file->size();
    m_file.reset();
    if (!isDirect() && ::rename(m_part.c_str(), m_path.c_str()) != 0)
        throw failedOutput(m_name);
    m_isCommitted = true;
}

void ReplacedFile::flush(std::string_view more)
{
    for (const std::string_view bytes : {std::string_view(m_pending), more}) {
        m_file->write(bytes);
        m_size += bytes.size();
    }
    m_pending.clear();
}

void replaceFile(const fs::path& path, std::string_view text, std::stop_token stop)
{
    ReplacedFile file(path, std::move(stop));
    file.write(text);
    file.commit();
}

} // namespace headroom
