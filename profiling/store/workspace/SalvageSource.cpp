// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/workspace/SalvageSource.h"

#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "profiling/store/RecordTables.h"
#include "profiling/store/SqliteUri.h"
#include "profiling/store/ThreadWithoutFiles.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <utility>

namespace headroom::store {
namespace {

namespace fs = std::filesystem;

// Row numbers tried without success after the last readable row, as the number of rows is unknown.
constexpr std::int64_t kMostMisses = 4'096;

// Distinguishes missing from damaged tables; invalid descriptions are skipped.
constexpr const char* kTolerant =
    "PRAGMA writable_schema = ON; PRAGMA query_only = ON; PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF;"
    "PRAGMA temp_store = MEMORY;";

bool hasLog(const fs::path& path)
{
    std::error_code unreachable;
    return fs::exists(path.string() + "-wal", unreachable);
}

} // namespace

void SalvageSource::Close::operator()(sqlite3* database) const
{
    sqlite3_close_v2(database);
}

void SalvageSource::Finalize::operator()(sqlite3_stmt* statement) const
{
    sqlite3_finalize(statement);
}

// Without a log nobody has the file open, and it is read unchanged. A log has to be read with it: through a connection
// that may write, as SQLite requires, but is set to query only and leaves file and log unchanged when it is closed.
SalvageSource::SalvageSource(const fs::path& path)
{
    requireFilesAllowed(path);
    const bool isLogged = hasLog(path);
    const std::string name = isLogged ? fs::absolute(path).string() : sqliteUri(path, "immutable=1");
    const int flags = isLogged ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY | SQLITE_OPEN_URI;
    sqlite3* database = nullptr;
    const int code = sqlite3_open_v2(name.c_str(), &database, flags | SQLITE_OPEN_NOMUTEX, nullptr);
    m_owned.reset(database);
    m_database = database;
    if (code != SQLITE_OK)
        throw FileError(std::string("nothing of it can be read: ") + sqlite3_errstr(code), path.string());
    sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    sqlite3_busy_timeout(database, 5'000);
    sqlite3_exec(database, kTolerant, nullptr, nullptr, nullptr);
    if (columnsOf("sqlite_schema").empty() || prepare("SELECT count(*) FROM sqlite_schema") == nullptr)
        throw FileError(
            std::string("nothing of it can be read: ") + sqlite3_errmsg(database), path.string(), "a database");
}

SalvageSource::Statement SalvageSource::prepare(const std::string& sql) const
{
    sqlite3_stmt* statement = nullptr;
    sqlite3_prepare_v2(m_database, sql.c_str(), -1, &statement, nullptr);
    return Statement(statement);
}

std::vector<std::string> SalvageSource::columnsOf(const std::string& table) const
{
    std::vector<std::string> columns;
    const Statement statement = prepare("SELECT name FROM pragma_table_info(?)");
    if (statement == nullptr)
        return columns;
    sqlite3_bind_text(statement.get(), 1, table.c_str(), -1, SQLITE_TRANSIENT);
    while (sqlite3_step(statement.get()) == SQLITE_ROW)
        columns.emplace_back(reinterpret_cast<const char*>(sqlite3_column_text(statement.get(), 0)));
    return columns;
}

// The column after the requested ones is the number of the row, or whatever represents it.
SalvageSource::Pass SalvageSource::pass(const std::string& sql, const Visit& visit) const
{
    Pass pass;
    const Statement statement = prepare(sql);
    int code = statement == nullptr ? SQLITE_CORRUPT : SQLITE_ROW;
    while (code == SQLITE_ROW && (code = sqlite3_step(statement.get())) == SQLITE_ROW) {
        pass.last = sqlite3_column_int64(statement.get(), sqlite3_column_count(statement.get()) - 1);
        ++pass.read;
        visit(statement.get());
    }
    pass.isWhole = code == SQLITE_DONE;
    return pass;
}

SalvageCount SalvageSource::readByNumber(const SalvageTable& table, const Visit& visit) const
{
    const std::string select = fmt::format("SELECT {}, rowid FROM {} ", joined(table.columns), table.name);
    const Pass up = pass(select + "ORDER BY rowid", visit);
    if (up.isWhole)
        return {up.read, 0};
    const std::int64_t from = up.last.value_or(0);
    const Pass down = pass(select + fmt::format("WHERE rowid > {} ORDER BY rowid DESC", from), visit);
    SalvageCount between = probe(table, from + 1, down.last, visit);
    between.read += up.read + down.read;
    return between;
}

// Reads row by row if whole passes fail. `to` is exclusive; without it the end is unknown, and everything unreadable
// after the last readable row counts as one.
SalvageCount SalvageSource::probe(
    const SalvageTable& table, std::int64_t from, std::optional<std::int64_t> to, const Visit& visit) const
{
    SalvageCount count;
    std::int64_t misses = 0;
    std::int64_t unreadable = 0; // since the last readable row
    const Statement statement =
        prepare(fmt::format("SELECT {}, rowid FROM {} WHERE rowid = ?", joined(table.columns), table.name));
    for (std::int64_t row = from; statement != nullptr && (to ? row < *to : misses < kMostMisses); ++row, ++misses) {
        sqlite3_bind_int64(statement.get(), 1, row);
        const int code = sqlite3_step(statement.get());
        if (code == SQLITE_ROW) {
            visit(statement.get());
            ++count.read;
            count.unreadable += std::exchange(unreadable, 0);
            misses = 0;
        } else if (code != SQLITE_DONE) {
            ++unreadable;
        }
        sqlite3_reset(statement.get());
    }
    count.unreadable += to ? unreadable : 1;
    return count;
}

SalvageCount SalvageSource::readByKey(
    const SalvageTable& table, const std::vector<std::int64_t>& firsts, const Visit& visit) const
{
    SalvageCount sum;
    for (const std::int64_t value : firsts) {
        const SalvageCount count = readKey(table, value, visit);
        sum.read += count.read;
        sum.unreadable += count.unreadable;
    }
    return sum;
}

// Reads from both ends.
SalvageCount SalvageSource::readKey(const SalvageTable& table, std::int64_t first, const Visit& visit) const
{
    const std::string select = fmt::format("SELECT {}, {} FROM {} WHERE {} = {} ORDER BY ", joined(table.columns),
        table.key.front(), table.name, table.key.front(), first);
    const Pass up = pass(select + joined(table.key), visit);
    if (up.isWhole)
        return {up.read, 0};
    std::vector<std::string> descending;
    for (const std::string& column : table.key)
        descending.push_back(column + " DESC");
    const Pass down = pass(select + joined(descending), visit);
    return {up.read + down.read, 1};
}

} // namespace headroom::store
