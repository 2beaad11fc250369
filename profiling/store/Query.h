// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/SqliteFile.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace headroom::store {

/// One execution of a prepared statement. Parameters are bound in the order of the question marks; columns are numbered
/// from 0. Throws FileError.
class Query {
public:
    /// `parameters`: integers, doubles, texts, bytes (which must live as long as the query), optionals of them.
    template <typename... Parameters>
    Query(SqliteFile& file, const char* sql, const Parameters&... parameters)
        : m_file(file)
        , m_statement(file.borrow(sql))
    {
        (bind(parameters), ...);
    }
    ~Query();
    Query(const Query&) = delete;
    Query& operator=(const Query&) = delete;

    /// Moves to the next row; false after the last.
    bool step();
    /// Runs a statement that returns no rows, once; the parameters stay bound.
    void run();

    std::int64_t integer(int column) const;
    double real(int column) const;
    std::string text(int column) const;
    std::optional<std::int64_t> optionalInteger(int column) const;
    std::optional<std::string> optionalText(int column) const;
    /// Valid until the next step.
    std::span<const std::byte> bytes(int column) const;

private:
    void bind(std::int64_t value);
    void bind(std::size_t value) { bind(static_cast<std::int64_t>(value)); }
    void bind(int value) { bind(static_cast<std::int64_t>(value)); }
    void bind(double value);
    void bind(std::string_view value);
    void bind(const std::string& value) { bind(std::string_view(value)); }
    void bind(const char* value) { bind(std::string_view(value)); }
    void bind(std::span<const std::byte> value);
    template <typename T> void bind(const std::optional<T>& value)
    {
        if (value)
            bind(*value);
        else
            ++m_bound; // unbound parameters are NULL
    }

    SqliteFile& m_file;
    std::unique_ptr<SQLite::Statement> m_statement;
    int m_bound = 0;
};

} // namespace headroom::store
