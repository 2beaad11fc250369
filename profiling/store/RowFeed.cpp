// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/RowFeed.h"

#include "core/base/Wording.h"
#include "profiling/store/RecordTables.h"
#include "profiling/store/SqliteFile.h"

#include <sqlite3.h>

namespace headroom::store {

void RowFeed::Finalize::operator()(sqlite3_stmt* statement) const
{
    sqlite3_finalize(statement);
}

std::int64_t RowFeed::insert(const std::string& table, const std::vector<std::string>& columns, RowSource& source)
{
    const auto width = static_cast<int>(columns.size());
    const auto before = m_file.database().getTotalChanges();
    sqlite3_stmt* const statement = prepared(table, columns);
    int waiting = 0;
    while (source.next()) {
        source.bind(statement, waiting * width + 1);
        if (++waiting == kRowsAtOnce) {
            run(statement);
            waiting = 0;
        }
    }
    if (waiting > 0) {
        // The missing rows consist of NULLs, which no table accepts.
        for (int parameter = waiting * width + 1; parameter <= kRowsAtOnce * width; ++parameter)
            sqlite3_bind_null(statement, parameter);
        run(statement);
    }
    return m_file.database().getTotalChanges() - before;
}

sqlite3_stmt* RowFeed::prepared(const std::string& table, const std::vector<std::string>& columns)
{
    Statement& statement = m_statements[table];
    if (statement != nullptr)
        return statement.get();
    const std::string row = "(" + joined(std::vector<std::string>(columns.size(), "?")) + ")";
    const std::string sql = "INSERT OR IGNORE INTO " + table + " (" + joined(columns) + ") VALUES "
        + joined(std::vector<std::string>(kRowsAtOnce, row));
    sqlite3* const database = m_file.database().getHandle();
    sqlite3_stmt* made = nullptr;
    const int code = sqlite3_prepare_v3(database, sql.c_str(), -1, SQLITE_PREPARE_PERSISTENT, &made, nullptr);
    if (code != SQLITE_OK)
        m_file.fail(SQLite::Exception(database, code));
    statement.reset(made);
    return made;
}

void RowFeed::run(sqlite3_stmt* statement)
{
    sqlite3_step(statement);
    const int code = sqlite3_reset(statement);
    if (code != SQLITE_OK)
        m_file.fail(SQLite::Exception(m_file.database().getHandle(), code));
}

} // namespace headroom::store
