// SPDX-License-Identifier: Apache-2.0
#include "profiling/interchange/NsysDatabase.h"

#include "core/base/Error.h"

#include <algorithm>
#include <utility>

namespace headroom::interchange {
namespace {

constexpr const char* kSettings = R"sql(
PRAGMA page_size = 16384;
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA cache_size = -16384;
BEGIN;
)sql";

std::size_t columnCount(std::string_view columns)
{
    return columns.empty() ? 0 : 1 + static_cast<std::size_t>(std::ranges::count(columns, ','));
}

std::string creationOf(const NsysTable& table)
{
    const std::string newer = table.newerColumns;
    return std::string("CREATE TABLE ") + table.name + " (" + table.columns + (newer.empty() ? "" : ", " + newer)
        + ") STRICT";
}

std::string insertionOf(const NsysTable& table)
{
    std::string values = "?";
    for (std::size_t i = 1; i < columnCount(table.columns); ++i)
        values += ",?";
    for (std::size_t i = 0; i < columnCount(table.newerColumns); ++i)
        values += ",NULL";
    return std::string("INSERT INTO ") + table.name + " VALUES (" + values + ")";
}

} // namespace

NsysDatabase::NsysDatabase(const std::filesystem::path& path, std::string name)
    : m_name(std::move(name))
{
    guarded([&] {
        // "file:x" is a URI to SQLite.
        m_database = std::make_unique<SQLite::Database>(
            std::filesystem::absolute(path).string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        m_database->exec(kSettings);
    });
}

NsysDatabase::Insertion& NsysDatabase::insertionInto(const NsysTable& table)
{
    const auto known = m_insertions.find(std::string_view(table.name));
    if (known != m_insertions.end())
        return *known->second;
    guarded([&] {
        m_database->exec(creationOf(table));
        m_insertions.emplace(
            table.name, std::make_unique<Insertion>(Insertion{SQLite::Statement(*m_database, insertionOf(table))}));
    });
    return *m_insertions.find(std::string_view(table.name))->second;
}

std::int64_t NsysDatabase::idOf(std::string_view text)
{
    const auto [known, isNew] = m_strings.try_emplace(std::string(text), static_cast<std::int64_t>(m_strings.size()));
    if (isNew)
        insert(nsys::kStringIds, known->second, text);
    return known->second;
}

std::int64_t NsysDatabase::rows(const NsysTable& table) const
{
    const auto known = m_insertions.find(std::string_view(table.name));
    return known == m_insertions.end() ? 0 : known->second->rows;
}

void NsysDatabase::finish()
{
    guarded([&] {
        m_insertions.clear();
        m_database->exec("COMMIT");
        m_database.reset();
    });
}

void NsysDatabase::fail(const SQLite::Exception& failure) const
{
    throw FileError(std::string("file cannot be written: ") + failure.what(), m_name,
        "a file in a folder that exists and may be written, on a disk with free space");
}

} // namespace headroom::interchange
