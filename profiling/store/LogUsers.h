// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/FileId.h"

#include <filesystem>
#include <optional>

namespace headroom::store {

/// SQLite finds the log of a database by its name alone. If the file of that name was moved or replaced while a program
/// had it open, the log beside it belongs to the other file, and whoever opens the file that now has the name replays
/// that log into it. Linux's information about open files and locks (/proc) shows who uses a log; nothing here opens a
/// database.
///
/// All paths are those of databases, without -wal and -shm.

/// Makes sure that the log beside `path` belongs to the file which has this name now. If connections of this process
/// use it for a file that had the name before, it is moved to that file: to its present name, or out of the folder if
/// the file was deleted; those connections continue to use it. Throws FileError if another process uses it so, or if it
/// cannot be determined to whom it belongs.
void requireOwnLog(const std::filesystem::path& path);

/// For a connection whose file has lost its name `path`: whether the log beside it is used by another process, or by
/// this one for the file that has the name now. Also true if that cannot be determined.
bool isLogUsedByOthers(const std::filesystem::path& path);

/// The present name of a file that this process has open; nullopt if it no longer has one.
std::optional<std::filesystem::path> presentNameOf(const FileId& openFile);

} // namespace headroom::store
