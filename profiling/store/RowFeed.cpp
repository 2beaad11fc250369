// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/RowFeed.h"

#include "profiling/store/Query.h"

#include <sqlite3.h>

#include <new>

namespace headroom::store {
namespace {

struct FeedTable : sqlite3_vtab {
    RowSource** source;
};

struct FeedCursor : sqlite3_vtab_cursor {
    RowSource* source;
    sqlite3_int64 row;
    bool isAtEnd;
};

std::string declaration()
{
    std::string sql = "CREATE TABLE x(c0";
    for (int i = 1; i < RowFeed::kColumns; ++i)
        sql += ", c" + std::to_string(i);
    return sql + ")";
}

int connect(sqlite3* database, void* source, int, const char* const*, sqlite3_vtab** table, char**)
{
    static const std::string sql = declaration();
    const int code = sqlite3_declare_vtab(database, sql.c_str());
    if (code != SQLITE_OK)
        return code;
    auto* made = new (std::nothrow) FeedTable{};
    if (made == nullptr)
        return SQLITE_NOMEM;
    made->source = static_cast<RowSource**>(source);
    *table = made;
    return SQLITE_OK;
}

int disconnect(sqlite3_vtab* table)
{
    delete static_cast<FeedTable*>(table);
    return SQLITE_OK;
}

int bestIndex(sqlite3_vtab*, sqlite3_index_info* info)
{
    info->estimatedCost = 1e6;
    return SQLITE_OK;
}

int openCursor(sqlite3_vtab* table, sqlite3_vtab_cursor** cursor)
{
    auto* made = new (std::nothrow) FeedCursor{};
    if (made == nullptr)
        return SQLITE_NOMEM;
    made->source = *static_cast<FeedTable*>(table)->source;
    *cursor = made;
    return SQLITE_OK;
}

int closeCursor(sqlite3_vtab_cursor* cursor)
{
    delete static_cast<FeedCursor*>(cursor);
    return SQLITE_OK;
}

int nextRow(sqlite3_vtab_cursor* cursor)
{
    auto* feed = static_cast<FeedCursor*>(cursor);
    ++feed->row;
    feed->isAtEnd = feed->source == nullptr || !feed->source->next();
    return SQLITE_OK;
}

int filter(sqlite3_vtab_cursor* cursor, int, const char*, int, sqlite3_value**)
{
    return nextRow(cursor);
}

int isAtEnd(sqlite3_vtab_cursor* cursor)
{
    return static_cast<FeedCursor*>(cursor)->isAtEnd ? 1 : 0;
}

int column(sqlite3_vtab_cursor* cursor, sqlite3_context* result, int index)
{
    static_cast<FeedCursor*>(cursor)->source->column(result, index);
    return SQLITE_OK;
}

int rowId(sqlite3_vtab_cursor* cursor, sqlite3_int64* id)
{
    *id = static_cast<FeedCursor*>(cursor)->row;
    return SQLITE_OK;
}

// Without xCreate a table of this module exists under the module's name and nowhere else.
const sqlite3_module& feedModule()
{
    static const sqlite3_module feed = [] {
        sqlite3_module made{};
        made.xConnect = connect;
        made.xDisconnect = disconnect;
        made.xBestIndex = bestIndex;
        made.xOpen = openCursor;
        made.xClose = closeCursor;
        made.xFilter = filter;
        made.xNext = nextRow;
        made.xEof = isAtEnd;
        made.xColumn = column;
        made.xRowid = rowId;
        return made;
    }();
    return feed;
}

} // namespace

RowFeed::RowFeed(SqliteFile& file)
    : m_file(file)
{
    const int code = sqlite3_create_module(file.database().getHandle(), kTable, &feedModule(), &m_source);
    if (code != SQLITE_OK)
        throw file.error(SQLite::Exception(file.database().getHandle(), code));
}

std::int64_t RowFeed::insert(const std::string& table, const std::string& columns, int count, RowSource& source)
{
    std::string sql = "INSERT OR IGNORE INTO " + table + " (" + columns + ") SELECT c0";
    for (int i = 1; i < count; ++i)
        sql += ", c" + std::to_string(i);
    m_source = &source;
    const auto before = m_file.database().getTotalChanges();
    Query(m_file, (sql + " FROM " + kTable).c_str()).run();
    m_source = nullptr;
    return m_file.database().getTotalChanges() - before;
}

} // namespace headroom::store
