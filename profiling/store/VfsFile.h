// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

struct sqlite3_file;

namespace headroom::store {

/// A database file, opened for reading by SQLite's own file system layer, without a connection: nothing is locked,
/// recovered or made beside it. A plain open() and close() would take away the locks that other connections of this
/// process hold on the file; SQLite keeps a descriptor open that it shares a file with until those are done.
class VfsFile {
public:
    explicit VfsFile(const std::filesystem::path& path);
    ~VfsFile();
    VfsFile(const VfsFile&) = delete;
    VfsFile& operator=(const VfsFile&) = delete;

    bool isOpen() const { return m_file != nullptr; }
    std::int64_t size() const; ///< in bytes; 0 where it cannot be told
    /// Fills the buffer from the file's beginning; false where the file is shorter or cannot be read.
    bool readBegin(std::span<char> buffer) const;

private:
    struct FreeName {
        void operator()(const char* name) const;
    };

    std::unique_ptr<const char, FreeName> m_name; ///< SQLite keeps a pointer to it
    std::unique_ptr<std::byte[]> m_memory;
    sqlite3_file* m_file = nullptr; ///< in that memory; null where it could not be opened
};

} // namespace headroom::store
