// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/SqliteFile.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace headroom::store {

/// Examines a file before SQLite does, because SQLite recovers, locks and creates files beside whatever it opens, and
/// files that are not ours must not be touched. It reads the header through SQLite's own file layer (VfsFile), and
/// opens only regular files.
class FileProbe {
public:
    FileProbe(const std::filesystem::path& path, const Schema& schema);

    bool exists() const { return m_content != Content::Missing; }
    /// Throws FileError if the file cannot be opened with this access.
    void require(Access access) const;

private:
    enum class Content { Missing, NoFile, Unreadable, Empty, NoDatabase, Database };

    void readHeader();
    void requirePresent(Access access) const;
    void requireWritable() const;
    void requireOneName() const;

    const std::filesystem::path& m_path;
    const Schema& m_schema;
    Content m_content = Content::Missing;
    std::string m_problem; ///< what it is instead of a file, or why it cannot be read
    std::int32_t m_applicationId = 0;
    std::int32_t m_userVersion = 0;
};

/// The folder that contains a file.
std::filesystem::path folderOf(const std::filesystem::path& path);

FileError foreignFileError(const std::filesystem::path& path, const Schema& schema);
FileError newerVersionError(const std::filesystem::path& path, const Schema& schema, std::int64_t version);

} // namespace headroom::store
