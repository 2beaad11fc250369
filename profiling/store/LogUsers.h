// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/FileId.h"

#include <filesystem>
#include <optional>

namespace headroom::store {

/// SQLite finds the log of a database by its name alone. Where the file of that name was moved or replaced while a
/// program had it open, the log that lies there is the other file's, and whoever opens what now has the name plays it
/// in. What Linux tells of open files and locks (/proc) shows who uses a log; nothing here opens a database.
///
/// All paths are those of databases, without -wal and -shm.

/// Makes sure that the log beside `path` is that of the file which has this name now. Where connections of this process
/// use it for one that had the name before, it goes where that file is: to its present name, or out of the folder with
/// a file that was deleted; those connections go on with it. Throws FileError where another process uses it so, or
/// where nobody can tell to whom it belongs.
void requireOwnLog(const std::filesystem::path& path);

/// For a connection whose file has lost its name `path`: whether another process uses the log beside it, or this one
/// for the file that has the name now. True also where that cannot be known.
bool isLogUsedByOthers(const std::filesystem::path& path);

/// The name that a file has now that this process has open; nothing where it has none any more.
std::optional<std::filesystem::path> presentNameOf(const FileId& openFile);

} // namespace headroom::store
