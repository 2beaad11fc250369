// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/SqliteFile.h"

#include "profiling/store/FileProbe.h"
#include "profiling/store/ThreadWithoutFiles.h"
#include "profiling/store/WriteTransaction.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

namespace headroom::store {
namespace {

namespace fs = std::filesystem;

std::string seconds(std::chrono::milliseconds duration)
{
    return fmt::format("{:.1f} s", std::chrono::duration<double>(duration).count());
}

// An SQLite URI may hold any path once these four are escaped.
std::string uri(const fs::path& path, std::string_view parameters)
{
    std::string text = "file:";
    for (const char letter : fs::absolute(path).string()) {
        if (letter == '%' || letter == '?' || letter == '#')
            text += fmt::format("%{:02x}", static_cast<unsigned char>(letter));
        else
            text += letter;
    }
    return text + "?" + std::string(parameters);
}

} // namespace

SqliteFile::SqliteFile(fs::path path, Access access, const Schema& schema, std::chrono::milliseconds busyTimeout)
    : m_path(std::move(path))
    , m_kind(schema.kind)
    , m_busyTimeout(busyTimeout)
{
    requireFilesAllowed(m_path);
    const FileProbe probe(m_path, schema);
    probe.require(access);
    try {
        prepare(access, schema);
    } catch (const Error&) {
        // A failed creation leaves no file behind; what was there before stays.
        m_database.reset();
        std::error_code ignored;
        if (!probe.exists() && fs::file_size(m_path, ignored) == 0)
            fs::remove(m_path, ignored);
        throw;
    }
}

SqliteFile::~SqliteFile() = default;

void SqliteFile::prepare(Access access, const Schema& schema)
{
    try {
        openDatabase(access);
        setUpConnection(schema.durability);
        requireVersion(schema, access);
        if (access == Access::ReadOnly)
            return;
        requireWritable();
        migrate(schema);
        m_database->exec(schema.durability == Durability::Checkpoint ? "PRAGMA journal_mode = WAL"
                                                                     : "PRAGMA journal_mode = TRUNCATE");
    } catch (const SQLite::Exception& failure) {
        throw error(failure);
    }
}

void SqliteFile::openDatabase(Access access)
{
    if (access == Access::ReadOnly) {
        openForReading();
        return;
    }
    const int create = access == Access::Create ? SQLite::OPEN_CREATE : 0;
    connect(m_path.string(), SQLite::OPEN_READWRITE | create);
}

void SqliteFile::openForReading()
{
    // A connection that may not write cannot remove the -wal and -shm files that even readers of a WAL file need, and
    // would leave them lying about. So one that may, but is told not to; and where permissions forbid that, a real one.
    if (::access(m_path.c_str(), W_OK) == 0 && ::access(folderOf(m_path).c_str(), W_OK) == 0) {
        connect(m_path.string(), SQLite::OPEN_READWRITE);
        m_database->exec("PRAGMA query_only = ON");
        return;
    }
    connect(m_path.string(), SQLite::OPEN_READONLY);
    // Where those files cannot be made, a file that nobody writes can still be read as it is.
    const int code = m_database->tryExec("SELECT count(*) FROM sqlite_schema");
    std::error_code ignored;
    if ((code == SQLITE_CANTOPEN || code == SQLITE_READONLY) && !fs::exists(m_path.string() + "-wal", ignored))
        connect(uri(m_path, "immutable=1"), SQLite::OPEN_READONLY | SQLite::OPEN_URI);
}

void SqliteFile::connect(const std::string& name, int flags)
{
    m_database =
        std::make_unique<SQLite::Database>(name, flags | SQLite::OPEN_NOMUTEX, static_cast<int>(m_busyTimeout.count()));
}

void SqliteFile::setUpConnection(Durability durability)
{
    m_database->exec("PRAGMA foreign_keys = ON");
    m_database->exec("PRAGMA temp_store = MEMORY");
    // KiB. A page that does not fit while an import is under way is written twice.
    m_database->exec("PRAGMA cache_size = -65536");
    // What is deleted is no secret, and overwriting it with zeros would cost as much as writing it did.
    m_database->exec("PRAGMA secure_delete = OFF");
    m_database->exec(durability == Durability::Checkpoint ? "PRAGMA synchronous = NORMAL" : "PRAGMA synchronous = OFF");
}

void SqliteFile::requireWritable() const
{
    if (sqlite3_db_readonly(m_database->getHandle(), "main") == 1)
        throw FileError("the " + m_kind + " is read-only", m_path.string(), "a file with write permission");
}

// The probe has read these from the main file, but a newer value may still be in the write-ahead log.
void SqliteFile::requireVersion(const Schema& schema, Access access)
{
    const auto version = integer("PRAGMA user_version");
    if (version > schema.latestVersion())
        throw newerVersionError(m_path, schema, version);
    if (access == Access::ReadOnly && version < schema.oldestReadable.value_or(schema.latestVersion()))
        throw FileError(fmt::format("the {} has format version {}, older than this program's", m_kind, version),
            m_path.string(),
            fmt::format("{}; open it for writing once to bring it up to date", schema.latestVersion()));
}

void SqliteFile::migrate(const Schema& schema)
{
    if (integer("PRAGMA user_version") == schema.latestVersion())
        return;
    WriteTransaction transaction(*this);
    // Asked again under the lock: another process may have been faster.
    const auto version = integer("PRAGMA user_version");
    const auto application = integer("PRAGMA application_id");
    if (application != 0 && application != schema.applicationId)
        throw foreignFileError(m_path, schema);
    for (const Migration& migration : schema.migrations) {
        if (migration.version <= version)
            continue;
        m_database->exec(migration.sql);
        m_database->exec(fmt::format("PRAGMA user_version = {}", migration.version));
    }
    m_database->exec(fmt::format("PRAGMA application_id = {}", schema.applicationId));
    transaction.commit();
}

bool SqliteFile::inTransaction() const
{
    return sqlite3_get_autocommit(m_database->getHandle()) == 0;
}

void SqliteFile::execute(const std::string& sql)
{
    requireFilesAllowed(m_path);
    try {
        m_database->exec(sql);
    } catch (const SQLite::Exception& failure) {
        throw error(failure);
    }
}

std::int64_t SqliteFile::integer(const std::string& sql)
{
    requireFilesAllowed(m_path);
    try {
        return m_database->execAndGet(sql).getInt64();
    } catch (const SQLite::Exception& failure) {
        throw error(failure);
    }
}

std::unique_ptr<SQLite::Statement> SqliteFile::borrow(const std::string& sql)
{
    requireFilesAllowed(m_path);
    const auto idle = m_idle.find(sql);
    if (idle != m_idle.end()) {
        auto statement = std::move(idle->second);
        m_idle.erase(idle);
        return statement;
    }
    try {
        return std::make_unique<SQLite::Statement>(*m_database, sql);
    } catch (const SQLite::Exception& failure) {
        throw error(failure);
    }
}

void SqliteFile::giveBack(std::unique_ptr<SQLite::Statement> statement) noexcept
{
    try {
        // A statement that is not reset keeps a read transaction open, and the log from shrinking.
        statement->tryReset();
        statement->clearBindings();
        std::string sql = statement->getQuery();
        m_idle.insert_or_assign(std::move(sql), std::move(statement));
    } catch (const std::exception&) {
        // Out of memory or a failed unbinding: the statement is prepared anew next time.
        statement.reset();
    }
}

RowFeed& SqliteFile::rowFeed()
{
    if (!m_rowFeed)
        m_rowFeed = std::make_unique<RowFeed>(*this);
    return *m_rowFeed;
}

FileError SqliteFile::error(const SQLite::Exception& failure) const
{
    const std::string where = m_path.string();
    switch (failure.getErrorCode()) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return FileError(fmt::format("the {} is locked by another writer (waited {})", m_kind, seconds(m_busyTimeout)),
            where, "one writer at a time");
    case SQLITE_FULL:
        return FileError("the disk is full, nothing was saved", where, "free space on its disk");
    case SQLITE_READONLY:
        return FileError("the " + m_kind + " is read-only", where, "a file and folder with write permission");
    case SQLITE_CANTOPEN:
        return FileError(fmt::format("the {} or its -wal file beside it cannot be opened: {}", m_kind, failure.what()),
            where, "a file and folder with read and write permission");
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
        return FileError(fmt::format("the {} is damaged: {}", m_kind, failure.what()), where);
    case SQLITE_IOERR:
        return FileError(fmt::format("reading or writing failed, nothing was saved: {}",
                             sqlite3_errstr(failure.getExtendedErrorCode())),
            where, "a disk in order, with free space");
    default:
        return FileError(fmt::format("the {} refused an operation: {}", m_kind, failure.what()), where);
    }
}

} // namespace headroom::store
