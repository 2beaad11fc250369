// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/SqliteFile.h"

#include "core/base/Quantities.h"
#include "profiling/store/FilePlace.h"
#include "profiling/store/FileProbe.h"
#include "profiling/store/LogUsers.h"
#include "profiling/store/SqliteUri.h"
#include "profiling/store/StoreErrors.h"
#include "profiling/store/ThreadWithoutFiles.h"
#include "profiling/store/WriteTransaction.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <chrono>
#include <thread>

namespace headroom::store {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kLogEnding = "-wal";

// SQLite does not wait where another process changes the journal of the same file just then, as it does elsewhere.
void setJournal(SQLite::Database& database, const char* pragma, std::chrono::milliseconds patience)
{
    const auto end = std::chrono::steady_clock::now() + patience;
    int code = database.tryExec(pragma);
    while ((code & 0xff) == SQLITE_BUSY && std::chrono::steady_clock::now() < end) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        code = database.tryExec(pragma);
    }
    if (code != SQLITE_OK)
        database.exec(pragma); // throws what is wrong
}

} // namespace

SqliteFile::SqliteFile(fs::path path, Access access, const Schema& schema, std::chrono::milliseconds busyTimeout)
    : m_path(std::move(path))
    , m_fullPath(fs::absolute(m_path))
    , m_schema(schema)
    , m_busyTimeout(busyTimeout)
{
    requireFilesAllowed(m_path);
    const FileProbe probe(m_path, m_schema);
    probe.require(access);
    if (access != Access::ReadOnly)
        requireLocks(m_path);
    if (m_schema.durability == Durability::Checkpoint)
        requireOwnLog(m_path);
    try {
        prepare(access);
    } catch (const Error&) {
        // A failed creation leaves no file behind; an existing file stays.
        m_database.reset();
        std::error_code ignored;
        if (!probe.exists() && fs::file_size(m_path, ignored) == 0)
            fs::remove(m_path, ignored);
        throw;
    }
}

// The last connection moves the log into the database and removes it, by its name. If another file now has that name,
// the log would be that file's.
SqliteFile::~SqliteFile()
{
    if (!m_database || !m_log)
        return;
    const auto log = fileIdOf(m_logPath);
    if (fileIdOf(m_fullPath) != m_file)
        closeDisplaced();
    else if (log && log != m_log)
        sqlite3_db_config(m_database->getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    else if (m_hasWritten) // others may have it open: whoever then copies or moves the file does so without the log
        m_database->tryExec("PRAGMA wal_checkpoint(PASSIVE)");
}

// The log stays behind when its database is moved or deleted, and SQLite would replay it into whatever file takes its
// place. So its contents are written to the file that they belong to, which may only have been moved, and the log is
// emptied; unless somebody else uses the log, or the file has a log of its own under its present name.
void SqliteFile::closeDisplaced()
{
    sqlite3_db_config(m_database->getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    m_idle.clear();
    m_rowFeed.reset();
    const std::string log = m_logPath.string();
    const auto name = m_file ? presentNameOf(*m_file) : std::nullopt;
    if (fileIdOf(m_logPath) == m_log && !isLogUsedByOthers(log.substr(0, log.size() - kLogEnding.size()))
        && !(name && fileIdOf(name->string() + std::string(kLogEnding))))
        m_database->tryExec("PRAGMA wal_checkpoint(TRUNCATE)");
}

void SqliteFile::prepare(Access access)
{
    try {
        openDatabase(access);
        m_file = fileIdOf(m_fullPath);
        setUpConnection();
        requireVersion(access);
        if (access == Access::ReadOnly)
            return noteFiles();
        requireWritable();
        migrate();
        setJournal(*m_database,
            m_schema.durability == Durability::Checkpoint ? "PRAGMA journal_mode = WAL"
                                                          : "PRAGMA journal_mode = TRUNCATE",
            m_busyTimeout);
        integer("PRAGMA user_version"); // creates the log, if there is to be one
        noteFiles();
    } catch (const SQLite::Exception& failure) {
        fail(failure);
    }
}

// By now the log exists. It stays the same while the connection is open: programs remove it only when nobody has the
// database open.
void SqliteFile::noteFiles()
{
    const char* const name = sqlite3_db_filename(m_database->getHandle(), "main");
    OpenDatabase open{m_file, std::nullopt, std::nullopt};
    if (name != nullptr && *name != '\0') {
        m_logPath = sqlite3_filename_wal(name);
        m_log = fileIdOf(m_logPath);
        open.log = m_log;
        open.shared = fileIdOf(std::string(name) + "-shm");
    }
    m_openFiles.set(open);
}

bool SqliteFile::isReplaced() const
{
    const auto now = fileIdOf(m_fullPath);
    return now && now != m_file;
}

void SqliteFile::requireInPlace() const
{
    if (m_schema.durability != Durability::Checkpoint)
        return; // the private file of one process
    const std::string& kind = m_schema.kind;
    if (!fileIdOf(m_fullPath))
        throw DisplacedFileError(
            fmt::format("the {} was deleted or moved while it was open; nothing was written", kind), m_path.string(),
            "the file back in its place, or another one");
    if (isReplaced())
        throw DisplacedFileError(
            fmt::format("another file has taken the place of the {} while it was open; nothing was written", kind),
            m_path.string(), "opening it anew");
    if (m_log && fileIdOf(m_logPath) != m_log)
        throw DisplacedFileError(
            fmt::format("the -wal file of the {} was deleted or replaced while it was open; nothing was written", kind),
            m_path.string(), "leaving -wal and -shm files alone");
}

void SqliteFile::beginWriting()
{
    execute("BEGIN IMMEDIATE");
    m_hasWritten = true;
    try {
        requireInPlace();
        const auto version = integer("PRAGMA user_version");
        if (version > m_schema.latestVersion())
            throw newerVersionError(m_path, m_schema, version);
    } catch (const FileError&) {
        m_database->tryExec("ROLLBACK");
        throw;
    }
}

void SqliteFile::setBusyTimeout(std::chrono::milliseconds timeout)
{
    m_busyTimeout = timeout;
    sqlite3_busy_timeout(m_database->getHandle(), static_cast<int>(timeout.count()));
}

void SqliteFile::openDatabase(Access access)
{
    if (access == Access::ReadOnly) {
        openForReading();
        return;
    }
    const int create = access == Access::Create ? SQLite::OPEN_CREATE : 0;
    connectToFile(SQLite::OPEN_READWRITE | create);
}

void SqliteFile::openForReading()
{
    // A read-only connection cannot remove the -wal and -shm files that even readers of a WAL file need, and would
    // leave them behind. So a writable connection is used and set to query only; if permissions forbid that, a
    // read-only one.
    if (::access(m_path.c_str(), W_OK) == 0 && ::access(folderOf(m_path).c_str(), W_OK) == 0) {
        connectToFile(SQLite::OPEN_READWRITE);
        m_database->exec("PRAGMA query_only = ON");
        return;
    }
    connectToFile(SQLite::OPEN_READONLY);
    // If those files cannot be created, a file that nobody writes can still be read unchanged.
    const int code = m_database->tryExec("SELECT count(*) FROM sqlite_schema");
    std::error_code ignored;
    if ((code == SQLITE_CANTOPEN || code == SQLITE_READONLY) && !fs::exists(m_path.string() + "-wal", ignored))
        connect(sqliteUri(m_path, "immutable=1"), SQLite::OPEN_READONLY | SQLite::OPEN_URI);
}

// As the user gave it, a name that begins with "file:" would be a URI to SQLite, and ":memory:" no file at all.
void SqliteFile::connectToFile(int flags)
{
    connect(m_fullPath.string(), flags);
}

void SqliteFile::connect(const std::string& name, int flags)
{
    m_database =
        std::make_unique<SQLite::Database>(name, flags | SQLite::OPEN_NOMUTEX, static_cast<int>(m_busyTimeout.count()));
}

void SqliteFile::setUpConnection()
{
    m_database->exec("PRAGMA foreign_keys = ON");
    m_database->exec("PRAGMA temp_store = MEMORY");
    // KiB. A page that does not fit into the cache during an import is written twice.
    m_database->exec("PRAGMA cache_size = -65536");
    // Deleted data is not secret, and overwriting it with zeros would cost as much as writing it did.
    m_database->exec("PRAGMA secure_delete = OFF");
    m_database->exec(
        m_schema.durability == Durability::Checkpoint ? "PRAGMA synchronous = NORMAL" : "PRAGMA synchronous = OFF");
}

void SqliteFile::requireWritable() const
{
    if (sqlite3_db_readonly(m_database->getHandle(), "main") == 1)
        throw FileError("the " + m_schema.kind + " is read-only", m_path.string(), "a file with write permission");
}

// The probe has read these from the main file, but the write-ahead log may have a newer value.
void SqliteFile::requireVersion(Access access)
{
    const auto version = integer("PRAGMA user_version");
    const int latest = m_schema.latestVersion();
    if (version > latest)
        throw newerVersionError(m_path, m_schema, version);
    if (access == Access::ReadOnly && version < m_schema.oldestReadable.value_or(latest))
        throw OlderVersionError(
            fmt::format("the {} has format version {}, older than this program's", m_schema.kind, version),
            m_path.string(), fmt::format("{}; open it for writing once to bring it up to date", latest));
}

void SqliteFile::migrate()
{
    if (integer("PRAGMA user_version") == m_schema.latestVersion())
        return;
    WriteTransaction transaction(*this);
    // Checked again under the lock: another process may have been faster.
    const auto version = integer("PRAGMA user_version");
    const auto application = integer("PRAGMA application_id");
    if (application != 0 && application != m_schema.applicationId)
        throw foreignFileError(m_path, m_schema);
    for (const Migration& migration : m_schema.migrations) {
        if (migration.version <= version)
            continue;
        m_database->exec(migration.sql);
        m_database->exec(fmt::format("PRAGMA user_version = {}", migration.version));
    }
    m_database->exec(fmt::format("PRAGMA application_id = {}", m_schema.applicationId));
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
        fail(failure);
    }
}

std::int64_t SqliteFile::integer(const std::string& sql)
{
    requireFilesAllowed(m_path);
    try {
        return m_database->execAndGet(sql).getInt64();
    } catch (const SQLite::Exception& failure) {
        fail(failure);
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
        fail(failure);
    }
}

void SqliteFile::giveBack(std::unique_ptr<SQLite::Statement> statement) noexcept
{
    try {
        // A statement that is not reset keeps a read transaction open and prevents the log from shrinking.
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

void SqliteFile::fail(const SQLite::Exception& failure) const
{
    const std::string where = m_path.string();
    const std::string& kind = m_schema.kind;
    switch (failure.getErrorCode()) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:
        throw FileError(fmt::format("the {} is locked by another writer (waited {})", kind,
                            durationText(std::chrono::duration<double>(m_busyTimeout).count())),
            where, "one writer at a time");
    case SQLITE_READONLY:
        throw FileError("the " + kind + " is read-only", where, "a file and folder with write permission");
    case SQLITE_CANTOPEN:
        throw FileError(fmt::format("the {} or its -wal file beside it cannot be opened: {}", kind, failure.what()),
            where, "a file and folder with read and write permission");
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
        throw DamagedFileError(fmt::format("the {} is damaged: {}", kind, failure.what()), where,
            m_schema.durability == Durability::Checkpoint ? "headroom workspace repair FILE saves what can be read"
                                                          : "");
    case SQLITE_FULL:
    case SQLITE_IOERR:
        failAtDisk(failure);
    default:
        throw FileError(fmt::format("the {} refused an operation: {}", kind, failure.what()), where);
    }
}

void SqliteFile::failAtDisk(const SQLite::Exception& failure) const
{
    const std::string where = m_path.string();
    const int code = failure.getExtendedErrorCode() > 0 ? failure.getExtendedErrorCode() : failure.getErrorCode();
    const std::string what = sqlite3_errstr(code);
    switch (code) {
    case SQLITE_FULL:
    case SQLITE_IOERR_SHMSIZE:
        throw FullDiskError("the disk is full, nothing was saved", where, "free space on its disk");
    case SQLITE_IOERR_WRITE: // a quota, or the largest size of a file
        throw FullDiskError(
            "reading or writing failed, nothing was saved: " + what, where, "a disk in order, with free space");
    case SQLITE_IOERR_SHMOPEN:
    case SQLITE_IOERR_SHMMAP:
    case SQLITE_IOERR_SHMLOCK:
    case SQLITE_IOERR_LOCK:
    case SQLITE_IOERR_RDLOCK:
    case SQLITE_IOERR_UNLOCK:
        throw FileError(
            "its file system lacks the locks or the shared memory that the " + m_schema.kind + " needs: " + what, where,
            "a file on a local disk");
    default:
        throw FileError(
            "reading or writing failed, nothing was saved: " + what, where, "a disk in order, with free space");
    }
}

} // namespace headroom::store
