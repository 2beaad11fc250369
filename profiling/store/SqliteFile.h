// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Error.h"
#include "profiling/store/FileId.h"
#include "profiling/store/OpenFiles.h"
#include "profiling/store/RowFeed.h"
#include "profiling/store/Schema.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace headroom::store {

enum class Access {
    ReadOnly, ///< the file must exist; its rows cannot be changed
    ReadWrite, ///< the file must exist; an older version of it is migrated
    Create ///< as ReadWrite, and created if it does not exist (its folder must exist)
};

/// How long to wait for another writer before giving up.
inline constexpr std::chrono::milliseconds kDefaultBusyTimeout{5'000};

/// One connection to an SQLite file of ours: checked before it is touched, migrated, in WAL mode, with foreign keys on.
/// Every SQLite failure is thrown as a FileError that names the file (StoreErrors.h has subclasses for some).
///
/// For one thread only: each thread opens its own.
class SqliteFile {
public:
    /// Throws FileError, with the file unchanged, if it is missing, not a database, another program's, of a newer
    /// version, read-only although write access was requested, on a file system without locks, or locked for longer
    /// than the timeout.
    SqliteFile(std::filesystem::path path, Access access, const Schema& schema, std::chrono::milliseconds busyTimeout);
    ~SqliteFile();
    SqliteFile(const SqliteFile&) = delete;
    SqliteFile& operator=(const SqliteFile&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    SQLite::Database& database() { return *m_database; }
    bool inTransaction() const;
    void setBusyTimeout(std::chrono::milliseconds timeout);

    /// Throws DisplacedFileError if the open file no longer has its name.
    void requireInPlace() const;
    /// Begins a transaction with the write lock. Throws the same, and FileError if another program has migrated the
    /// file to a newer version since it was opened.
    void beginWriting();

    /// Runs statements that return nothing.
    void execute(const std::string& sql);
    /// The first column of the first row.
    std::int64_t integer(const std::string& sql);

    /// Lends a prepared statement to one Query at a time; it is kept for the next.
    std::unique_ptr<SQLite::Statement> borrow(const std::string& sql);
    void giveBack(std::unique_ptr<SQLite::Statement> statement) noexcept;

    /// Inserts rows that this program generates.
    RowFeed& rowFeed();

    /// Throws the error that a failure means to the owner of the file.
    [[noreturn]] void fail(const SQLite::Exception& failure) const;

private:
    void noteFiles();
    void closeDisplaced();
    bool isReplaced() const;
    [[noreturn]] void failAtDisk(const SQLite::Exception& failure) const;
    void prepare(Access access);
    void openDatabase(Access access);
    void openForReading();
    void connectToFile(int flags);
    void connect(const std::string& name, int flags);
    void setUpConnection();
    void requireWritable() const;
    void requireVersion(Access access);
    void migrate();

    std::filesystem::path m_path;
    std::filesystem::path m_fullPath; ///< from the root: the working folder may change
    const Schema m_schema;
    std::optional<FileId> m_file; ///< what was opened
    std::filesystem::path m_logPath; ///< of the write-ahead log
    std::optional<FileId> m_log; ///< nullopt if there is none
    OpenFilesEntry m_openFiles;
    bool m_hasWritten = false;
    std::chrono::milliseconds m_busyTimeout;
    std::unique_ptr<SQLite::Database> m_database;
    std::unique_ptr<RowFeed> m_rowFeed;
    std::map<std::string, std::unique_ptr<SQLite::Statement>, std::less<>> m_idle;
};

} // namespace headroom::store
