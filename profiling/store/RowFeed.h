// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

struct sqlite3_stmt;

namespace headroom::store {

class SqliteFile;

/// Rows to insert, one after the other.
class RowSource {
public:
    virtual ~RowSource() = default;
    /// Moves to the next row, at first to the first one; false after the last.
    virtual bool next() = 0;
    /// Binds the values of the row to the parameters from `first` on.
    virtual void bind(sqlite3_stmt* statement, int first) const = 0;
};

/// Inserts many rows into one table. SQLite is fastest with some tens of rows in one statement.
class RowFeed {
public:
    static constexpr int kRowsAtOnce = 25;

    explicit RowFeed(SqliteFile& file)
        : m_file(file)
    {
    }

    /// Inserts all rows of a source into `table`; returns how many. A row that violates a constraint is left out. Runs
    /// in the caller's transaction. Throws FileError.
    std::int64_t insert(const std::string& table, const std::vector<std::string>& columns, RowSource& source);

private:
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const;
    };
    using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

    sqlite3_stmt* prepared(const std::string& table, const std::vector<std::string>& columns);
    void run(sqlite3_stmt* statement);

    SqliteFile& m_file;
    std::map<std::string, Statement> m_statements;
};

} // namespace headroom::store
