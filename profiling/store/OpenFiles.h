// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/FileId.h"

#include <filesystem>
#include <optional>

namespace headroom::store {

/// A database that SQLite has open, and what it keeps beside it; nothing where there is no such file.
struct OpenDatabase {
    std::optional<FileId> file;
    std::optional<FileId> log; ///< -wal
    std::optional<FileId> shared; ///< -shm
};

/// Makes known, while it lives, that SQLite has these files open in this process. For SqliteFile.
class OpenFilesEntry {
public:
    OpenFilesEntry() = default;
    ~OpenFilesEntry();
    OpenFilesEntry(const OpenFilesEntry&) = delete;
    OpenFilesEntry& operator=(const OpenFilesEntry&) = delete;

    void set(const OpenDatabase& database);
};

/// Whether a connection of this process has the file open that has this name, be it a database or what SQLite keeps
/// beside it. Such a file must not be opened in another way: POSIX drops all locks that a process holds on a file when
/// any of its descriptors of that file is closed, and with them what keeps writers of a database apart.
bool isOpenHere(const std::filesystem::path& path);

/// Before a file that a user named is read or replaced by something other than the store. Throws FileError where
/// isOpenHere.
void requireNotOpenHere(const std::filesystem::path& path);

/// The database that a connection of this process has open with this log; nothing where none has.
std::optional<FileId> databaseOfOpenLog(const FileId& log);

} // namespace headroom::store
