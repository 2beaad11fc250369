// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/traces/RecordCopier.h"

#include "core/base/Wording.h"
#include "profiling/store/RecordTables.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <memory>
#include <optional>
#include <type_traits>

namespace headroom::store {
namespace {

struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

bool fits(StoredType expected, int type)
{
    switch (expected) {
    case StoredType::Integer:
        return type == SQLITE_INTEGER;
    case StoredType::OptionalInteger:
        return type == SQLITE_INTEGER || type == SQLITE_NULL;
    case StoredType::OptionalReal:
        return type == SQLITE_FLOAT || type == SQLITE_NULL;
    case StoredType::Text:
        return type == SQLITE_TEXT;
    }
    return false;
}

/// The rows of a table of the spool, with the repeat's number in the workspace as first column.
class SpoolRows final : public RowSource {
public:
    SpoolRows(SqliteFile& spool, const std::string& sql, std::int64_t repeat, const std::vector<StoredType>& types)
        : m_repeat(repeat)
        , m_types(types)
    {
        sqlite3_stmt* statement = nullptr;
        m_code = sqlite3_prepare_v2(spool.database().getHandle(), sql.c_str(), -1, &statement, nullptr);
        m_statement.reset(statement);
    }

    bool next() override
    {
        while (m_statement != nullptr && (m_code = sqlite3_step(m_statement.get())) == SQLITE_ROW) {
            ++m_rows;
            if (isWellFormed())
                return true;
        }
        return false;
    }

    void bind(sqlite3_stmt* statement, int first) const override
    {
        sqlite3_bind_int64(statement, first, m_repeat);
        for (int i = 0; i < static_cast<int>(m_types.size()); ++i)
            sqlite3_bind_value(statement, first + 1 + i, sqlite3_column_value(m_statement.get(), i));
    }

    std::int64_t rows() const { return m_rows; }
    bool isWhole() const { return m_code == SQLITE_DONE; }
    const char* problem() const { return sqlite3_errstr(m_code); }

private:
    bool isWellFormed() const
    {
        for (std::size_t i = 0; i < m_types.size(); ++i) {
            if (!fits(m_types[i], sqlite3_column_type(m_statement.get(), static_cast<int>(i))))
                return false;
        }
        return true;
    }

    std::unique_ptr<sqlite3_stmt, Finalize> m_statement;
    std::int64_t m_repeat;
    const std::vector<StoredType>& m_types;
    std::int64_t m_rows = 0;
    int m_code = SQLITE_OK;
};

template <typename Value> constexpr StoredType typeOf(const Value&)
{
    return StoredType::Integer; // texts are stored by number
}
template <typename Value> constexpr StoredType typeOf(const std::optional<Value>&)
{
    return std::is_floating_point_v<Value> ? StoredType::OptionalReal : StoredType::OptionalInteger;
}

/// The types of the columns after `repeat`.
template <typename Table> std::vector<StoredType> typesOf()
{
    const typename Table::R record{};
    std::vector<StoredType> types{StoredType::Integer};
    std::apply([&](const auto&... column) { (types.push_back(typeOf(record.*column.member)), ...); }, Table::kColumns);
    return types;
}

} // namespace

RecordCopier::RecordCopier(SqliteFile& target, std::int64_t repeat)
    : m_target(target)
    , m_repeat(repeat)
{
}

void RecordCopier::copy(SqliteFile& spool)
{
    copyTable(spool, "strings", {"repeat", "id", "value"}, {StoredType::Integer, StoredType::Text});
    eachRecordTable([&](auto table) {
        using Table = decltype(table);
        copyTable(spool, Table::kName, columnNames<Table>(), typesOf<Table>());
    });
}

void RecordCopier::copyTable(SqliteFile& spool, const std::string& table, const std::vector<std::string>& columns,
    const std::vector<StoredType>& types)
{
    const std::string read = joined({columns.begin() + 1, columns.end()});
    SpoolRows rows(spool, "SELECT " + read + " FROM " + table, m_repeat, types);
    const std::int64_t copied = m_target.rowFeed().insert(table, columns, rows);
    m_rows += copied;
    m_malformedRows += rows.rows() - copied;
    if (!rows.isWhole())
        m_problems.push_back(fmt::format("the table '{}' could not be read to its end: {}", table, rows.problem()));
}

} // namespace headroom::store
