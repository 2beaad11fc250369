// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/OpenFiles.h"

#include "core/base/Error.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <ranges>

namespace headroom::store {
namespace {

std::mutex& openFilesMutex()
{
    static std::mutex mutex;
    return mutex;
}

// Those of all connections of the process.
std::map<const OpenFilesEntry*, OpenDatabase>& openDatabases()
{
    static std::map<const OpenFilesEntry*, OpenDatabase> databases;
    return databases;
}

} // namespace

OpenFilesEntry::~OpenFilesEntry()
{
    const std::scoped_lock lock(openFilesMutex());
    openDatabases().erase(this);
}

void OpenFilesEntry::set(const OpenDatabase& database)
{
    const std::scoped_lock lock(openFilesMutex());
    openDatabases()[this] = database;
}

bool isOpenHere(const std::filesystem::path& path)
{
    const auto file = fileIdOf(path);
    const std::scoped_lock lock(openFilesMutex());
    return file && std::ranges::any_of(std::views::values(openDatabases()), [&](const OpenDatabase& database) {
        return database.file == file || database.log == file || database.shared == file;
    });
}

std::optional<FileId> databaseOfOpenLog(const FileId& log)
{
    const std::scoped_lock lock(openFilesMutex());
    for (const OpenDatabase& database : std::views::values(openDatabases()))
        if (database.log == log)
            return database.file;
    return std::nullopt;
}

void requireNotOpenHere(const std::filesystem::path& path)
{
    if (isOpenHere(path))
        throw FileError(
            "this is the workspace that is open, or a file that belongs to it", path.string(), "another file");
}

} // namespace headroom::store
