// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/FileId.h"

#include <filesystem>
#include <optional>

namespace headroom::store {

/// A database that SQLite has open, and its auxiliary files; nullopt for a file that does not exist.
struct OpenDatabase {
    std::optional<FileId> file;
    std::optional<FileId> log; ///< -wal
    std::optional<FileId> shared; ///< -shm
};

/// Registers, during its lifetime, that SQLite has these files open in this process. For SqliteFile.
class OpenFilesEntry {
public:
    OpenFilesEntry() = default;
    ~OpenFilesEntry();
    OpenFilesEntry(const OpenFilesEntry&) = delete;
    OpenFilesEntry& operator=(const OpenFilesEntry&) = delete;

    void set(const OpenDatabase& database);
};

/// Whether a connection of this process has the file of this name open, as a database or as an auxiliary file of
/// SQLite. Such a file must not be opened in another way: POSIX drops all locks that a process holds on a file when any
/// of its descriptors of that file is closed, and these locks keep writers of a database apart.
bool isOpenHere(const std::filesystem::path& path);

/// Called before a file that a user named is read or replaced by anything but the store. Throws FileError if
/// isOpenHere.
void requireNotOpenHere(const std::filesystem::path& path);

/// The database that a connection of this process has open with this log; nullopt if there is none.
std::optional<FileId> databaseOfOpenLog(const FileId& log);

} // namespace headroom::store
