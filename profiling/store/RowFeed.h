// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

struct sqlite3_context;

namespace headroom::store {

class SqliteFile;

/// Rows that come from this program, for an INSERT ... SELECT from RowFeed::kTable. SQLite fetches each value where it
/// makes the row: no statement is run and nothing is bound for each of them, which makes it twice as fast as inserting
/// rows one by one.
class RowSource {
public:
    virtual ~RowSource() = default;
    /// To the next row, to the first at first; false behind the last. Must not throw.
    virtual bool next() noexcept = 0;
    /// Gives a value of the row to SQLite. Must not throw.
    virtual void column(sqlite3_context* result, int index) const noexcept = 0;
};

/// A table without storage on one connection, whose rows are those of a RowSource: columns c0, c1, ...
class RowFeed {
public:
    static constexpr auto kTable = "headroom_rows";
    static constexpr int kColumns = 32;

    /// Makes the table known to the connection, which it must outlive: SqliteFile::rowFeed(). Throws FileError.
    explicit RowFeed(SqliteFile& file);
    RowFeed(const RowFeed&) = delete;
    RowFeed& operator=(const RowFeed&) = delete;

    /// Inserts all rows of a source into `table`, under the columns named; returns how many. A row that offends against
    /// a constraint is left out. Throws FileError.
    std::int64_t insert(const std::string& table, const std::string& columns, int count, RowSource& source);

private:
    SqliteFile& m_file;
    RowSource* m_source = nullptr;
};

} // namespace headroom::store
