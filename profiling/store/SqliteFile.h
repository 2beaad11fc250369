// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Error.h"
#include "profiling/store/RowFeed.h"
#include "profiling/store/Schema.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace headroom::store {

enum class Access {
    ReadOnly, ///< the file must exist; its rows cannot be changed
    ReadWrite, ///< the file must exist; an older version of it is migrated
    Create ///< as ReadWrite, and made where there is none (its folder must exist)
};

/// How long to wait for another writer before giving up.
inline constexpr std::chrono::milliseconds kDefaultBusyTimeout{5'000};

/// One connection to an SQLite file of ours: checked before it is touched, migrated, in WAL mode, with foreign keys on.
/// Every failure of SQLite leaves as a FileError that names the file.
///
/// For one thread only: each thread opens its own.
class SqliteFile {
public:
    /// Throws FileError, the file unchanged, where it is missing, not a database, another program's, of a newer
    /// version, read-only although writing was asked for, or locked for longer than the timeout.
    SqliteFile(std::filesystem::path path, Access access, const Schema& schema, std::chrono::milliseconds busyTimeout);
    ~SqliteFile();
    SqliteFile(const SqliteFile&) = delete;
    SqliteFile& operator=(const SqliteFile&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    SQLite::Database& database() { return *m_database; }
    bool inTransaction() const;

    /// Runs statements that return nothing.
    void execute(const std::string& sql);
    /// The first column of the first row.
    std::int64_t integer(const std::string& sql);

    /// Prepared statements are lent to one Query at a time, and kept for the next.
    std::unique_ptr<SQLite::Statement> borrow(const std::string& sql);
    void giveBack(std::unique_ptr<SQLite::Statement> statement) noexcept;

    /// Inserts rows that this program makes.
    RowFeed& rowFeed();

    /// What a failure means to the owner of the file.
    FileError error(const SQLite::Exception& failure) const;

private:
    void prepare(Access access, const Schema& schema);
    void openDatabase(Access access);
    void openForReading();
    void connect(const std::string& name, int flags);
    void setUpConnection(Durability durability);
    void requireWritable() const;
    void requireVersion(const Schema& schema, Access access);
    void migrate(const Schema& schema);

    std::filesystem::path m_path;
    std::string m_kind;
    std::chrono::milliseconds m_busyTimeout;
    std::unique_ptr<SQLite::Database> m_database;
    std::unique_ptr<RowFeed> m_rowFeed;
    std::map<std::string, std::unique_ptr<SQLite::Statement>, std::less<>> m_idle;
};

} // namespace headroom::store
