// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Utf8.h"
#include "profiling/interchange/NsysTable.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace headroom::interchange {

/// A new SQLite file that is filled once: tables are created with their first row, as in exports of Nsight Systems. Not
/// protected against a killed process: the file is renamed when it is complete. Throws FileError.
class NsysDatabase {
public:
    /// `path`: an empty file; `name`: its name in error messages.
    NsysDatabase(const std::filesystem::path& path, std::string name);

    /// Inserts a row with one value for each of the table's columns: integers, doubles, texts, optionals of them,
    /// std::nullopt.
    template <typename... Values> void insert(const NsysTable& table, const Values&... values)
    {
        Insertion& insertion = insertionInto(table);
        guarded([&] {
            int column = 0;
            (bind(insertion.statement, ++column, values), ...);
            insertion.statement.exec();
            insertion.statement.reset();
        });
        ++insertion.rows;
    }

    /// The id of a text in StringIds, which has each text once.
    std::int64_t idOf(std::string_view text);

    std::int64_t rows(const NsysTable& table) const; ///< so far
    /// Writes everything that is still pending to the file.
    void finish();

private:
    struct Insertion {
        SQLite::Statement statement;
        std::int64_t rows = 0;
    };

    Insertion& insertionInto(const NsysTable& table);
    template <typename Action> void guarded(const Action& action)
    {
        try {
            action();
        } catch (const SQLite::Exception& failure) {
            fail(failure);
        }
    }
    [[noreturn]] void fail(const SQLite::Exception& failure) const;

    static void bind(SQLite::Statement& statement, int column, std::string_view text)
    {
        statement.bind(column, validUtf8(text));
    }
    static void bind(SQLite::Statement& statement, int column, double value) { statement.bind(column, value); }
    static void bind(SQLite::Statement& statement, int column, std::nullopt_t) { statement.bind(column); }
    template <std::integral Integer> static void bind(SQLite::Statement& statement, int column, Integer value)
    {
        statement.bind(column, static_cast<std::int64_t>(value)); // an address may have its highest bit set
    }
    template <typename Value>
    static void bind(SQLite::Statement& statement, int column, const std::optional<Value>& value)
    {
        value ? bind(statement, column, *value) : bind(statement, column, std::nullopt);
    }

    std::string m_name;
    std::unique_ptr<SQLite::Database> m_database;
    std::map<std::string, std::unique_ptr<Insertion>, std::less<>> m_insertions; ///< by table
    std::unordered_map<std::string, std::int64_t> m_strings;
};

} // namespace headroom::interchange
