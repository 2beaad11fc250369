// SPDX-License-Identifier: Apache-2.0
#include "profiling/recordings/SqliteTables.h"

#include "core/base/Error.h"
#include "profiling/recordings/Recording.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <fstream>

namespace headroom::recordings {
namespace {

constexpr int kMostRowBytes = 16 << 20;

std::string quoted(const std::string& name)
{
    std::string text = "\"";
    for (const char c : name)
        text += c == '"' ? std::string("\"\"") : std::string(1, c);
    return text + "\"";
}

// In a URI, these end the path or begin something else.
std::string uriOf(const std::filesystem::path& path)
{
    std::string uri = "file:";
    for (const char c : std::filesystem::absolute(path).string())
        uri += c == '%' ? "%25" : c == '?' ? "%3f" : c == '#' ? "%23" : std::string(1, c);
    return uri + "?mode=ro&immutable=1";
}

// The header tells the pages; read as it is, a file that was cut would just have fewer rows.
std::uint64_t bytesOfWhole(const std::filesystem::path& path)
{
    std::array<unsigned char, 32> header{};
    std::ifstream stream(path, std::ios::binary);
    stream.read(reinterpret_cast<char*>(header.data()), header.size());
    const auto at = [&](std::size_t place) { return std::uint64_t{header[place]}; };
    const std::uint64_t stated = at(16) << 8U | at(17);
    const std::uint64_t pageBytes = stated == 1 ? 65536 : stated;
    const std::uint64_t pages = at(28) << 24U | at(29) << 16U | at(30) << 8U | at(31);
    std::error_code none;
    const auto bytes = std::filesystem::file_size(path, none);
    if (!stream || pages * pageBytes > bytes)
        throw FileError("the database was cut: " + std::to_string(pages * pageBytes) + " bytes stated",
            path.string() + ", byte " + std::to_string(bytes), "a whole file");
    return bytes;
}

} // namespace

std::int64_t SqliteRow::integer(std::size_t column) const
{
    return known(column).value_or(0);
}

std::int64_t SqliteRow::nanoseconds(std::size_t column) const
{
    return withinFileNs(integer(column));
}

std::optional<std::int64_t> SqliteRow::known(std::size_t column) const
{
    const int place = m_places[column];
    if (place < 0 || ::sqlite3_column_type(m_statement, place) == SQLITE_NULL)
        return std::nullopt;
    return ::sqlite3_column_int64(m_statement, place);
}

double SqliteRow::real(std::size_t column) const
{
    return m_places[column] < 0 ? 0.0 : ::sqlite3_column_double(m_statement, m_places[column]);
}

std::string SqliteRow::text(std::size_t column) const
{
    const int place = m_places[column];
    const unsigned char* const text = place < 0 ? nullptr : ::sqlite3_column_text(m_statement, place);
    if (text == nullptr)
        return {};
    const auto bytes = static_cast<std::size_t>(::sqlite3_column_bytes(m_statement, place));
    m_textBytes += bytes;
    return {reinterpret_cast<const char*>(text), bytes};
}

void SqliteTables::Close::operator()(sqlite3* database) const
{
    ::sqlite3_close(database);
}

void SqliteTables::Finalize::operator()(sqlite3_stmt* statement) const
{
    ::sqlite3_finalize(statement);
}

// Nothing of the file's own is run: no views, no triggers, no functions in its schema.
SqliteTables::SqliteTables(const std::filesystem::path& path)
    : m_path(path.string())
    , m_bytes(bytesOfWhole(path))
{
    sqlite3* database = nullptr;
    const int result = ::sqlite3_open_v2(
        uriOf(path).c_str(), &database, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr);
    m_database.reset(database);
    if (result != SQLITE_OK)
        fail("the database");
    ::sqlite3_limit(database, SQLITE_LIMIT_LENGTH, kMostRowBytes);
    ::sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    ::sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    ::sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    ::sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
}

void SqliteTables::fail(const std::string& table) const
{
    throw FileError(table + " cannot be read: " + (m_database ? ::sqlite3_errmsg(m_database.get()) : "out of memory"),
        m_path, "a sound SQLite export of Nsight Systems");
}

SqliteTables::Statement SqliteTables::prepare(const std::string& sql, const std::string& table) const
{
    sqlite3_stmt* statement = nullptr;
    const int result =
        ::sqlite3_prepare_v2(m_database.get(), sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
    Statement owned(statement);
    if (result != SQLITE_OK)
        fail(table);
    return owned;
}

bool SqliteTables::has(const std::string& table) const
{
    const Statement statement =
        prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?1", "the list of tables");
    ::sqlite3_bind_text(statement.get(), 1, table.data(), static_cast<int>(table.size()), SQLITE_TRANSIENT);
    const int result = ::sqlite3_step(statement.get());
    if (result != SQLITE_ROW && result != SQLITE_DONE)
        fail("the list of tables");
    return result == SQLITE_ROW;
}

std::vector<std::string> SqliteTables::columnsOf(const std::string& table) const
{
    std::vector<std::string> columns;
    const Statement statement = prepare("PRAGMA table_info(" + quoted(table) + ")", table);
    while (::sqlite3_step(statement.get()) == SQLITE_ROW)
        if (const auto* const name = ::sqlite3_column_text(statement.get(), 1))
            columns.emplace_back(reinterpret_cast<const char*>(name));
    return columns;
}

void SqliteTables::each(const std::string& table, const std::vector<std::string>& columns,
    const std::function<void(const SqliteRow&)>& visit) const
{
    if (!has(table))
        return;
    const std::vector<std::string> existing = columnsOf(table);
    std::vector<int> places;
    std::string names;
    int next = 0;
    for (const std::string& column : columns) {
        const bool exists = std::ranges::find(existing, column) != existing.end();
        places.push_back(exists ? next++ : -1);
        names += exists ? (names.empty() ? "" : ", ") + quoted(column) : "";
    }
    if (names.empty())
        return;
    const Statement statement = prepare("SELECT " + names + " FROM " + quoted(table), table);
    int result = SQLITE_ROW;
    std::uint64_t rows = 0;
    std::uint64_t textBytes = 0;
    constexpr std::uint64_t kTimesAsked = 8; // a text may be asked for more than once, a number is longer as text
    while ((result = ::sqlite3_step(statement.get())) == SQLITE_ROW) {
        visit(SqliteRow(statement.get(), places, textBytes));
        if (++rows > m_bytes || textBytes > kTimesAsked * m_bytes)
            throw FileError(
                table + " has more rows or texts than its file of " + std::to_string(m_bytes) + " bytes holds", m_path,
                "a sound SQLite export of Nsight Systems");
    }
    if (result != SQLITE_DONE)
        fail(table);
}

} // namespace headroom::recordings
