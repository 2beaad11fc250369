// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/OpenFiles.h"

#include "core/config/Error.h"

#include <mutex>
#include <set>

namespace headroom::store {
namespace {

std::mutex& openFilesMutex()
{
    static std::mutex mutex;
    return mutex;
}

// Of all connections of the process: a file stands in it once for each.
std::multiset<FileId>& openFileIds()
{
    static std::multiset<FileId> files;
    return files;
}

} // namespace

void OpenFilesEntry::set(std::vector<FileId> files)
{
    const std::scoped_lock lock(openFilesMutex());
    for (const FileId& file : m_files)
        openFileIds().extract(file);
    openFileIds().insert(files.begin(), files.end());
    m_files = std::move(files);
}

bool isOpenHere(const std::filesystem::path& path)
{
    const auto file = fileIdOf(path);
    const std::scoped_lock lock(openFilesMutex());
    return file && openFileIds().contains(*file);
}

void requireNotOpenHere(const std::filesystem::path& path)
{
    if (isOpenHere(path))
        throw FileError(
            "this is the workspace that is open, or a file that belongs to it", path.string(), "another file");
}

} // namespace headroom::store
