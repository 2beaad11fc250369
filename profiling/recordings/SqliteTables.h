// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace headroom::recordings {

/// A row of a table of somebody else's database. What is missing or NULL is 0 or empty.
class SqliteRow {
public:
    SqliteRow(sqlite3_stmt* statement, const std::vector<int>& places, std::uint64_t& textBytes)
        : m_statement(statement)
        , m_places(places)
        , m_textBytes(textBytes)
    {
    }

    std::int64_t integer(std::size_t column) const;
    std::optional<std::int64_t> known(std::size_t column) const;
    std::int64_t nanoseconds(std::size_t column) const; ///< within kMostFileNs
    double real(std::size_t column) const;
    std::string text(std::size_t column) const;

private:
    sqlite3_stmt* m_statement;
    const std::vector<int>& m_places; ///< of each column that was asked for among those that exist; -1: it does not
    std::uint64_t& m_textBytes; ///< of all texts that were asked for
};

/// A database that another program wrote: read, never changed, and trusted in nothing.
class SqliteTables {
public:
    /// Throws FileError.
    explicit SqliteTables(const std::filesystem::path& path);

    bool has(const std::string& table) const;
    /// Visits every row of a table in the order of its rows; nothing where it does not exist. Columns that it does not
    /// have are 0 or empty. Throws FileError that names the table; also for one that says more than the file holds, as
    /// pages of a damaged file may be named many times.
    void each(const std::string& table, const std::vector<std::string>& columns,
        const std::function<void(const SqliteRow&)>& visit) const;

private:
    struct Close {
        void operator()(sqlite3* database) const;
    };
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const;
    };
    using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

    Statement prepare(const std::string& sql, const std::string& table) const;
    std::vector<std::string> columnsOf(const std::string& table) const;
    [[noreturn]] void fail(const std::string& table) const;

    std::string m_path;
    std::uint64_t m_bytes; ///< of the file
    std::unique_ptr<sqlite3, Close> m_database;
};

} // namespace headroom::recordings
