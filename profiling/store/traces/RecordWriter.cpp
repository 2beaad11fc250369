// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/traces/RecordWriter.h"

#include "profiling/store/Query.h"
#include "profiling/store/RecordTables.h"

#include <sqlite3.h>

#include <span>
#include <type_traits>

namespace headroom::store {
namespace {

// The value stored for a member; for a text the next number of `texts`.
void bindValue(sqlite3_stmt* statement, int parameter, const std::string&, const std::int64_t*& texts)
{
    sqlite3_bind_int64(statement, parameter, *texts++);
}

template <typename Number>
void bindValue(sqlite3_stmt* statement, int parameter, const Number& number, const std::int64_t*&)
{
    if constexpr (std::is_floating_point_v<Number>)
        sqlite3_bind_double(statement, parameter, number);
    else
        sqlite3_bind_int64(statement, parameter, static_cast<std::int64_t>(number));
}

template <typename Value>
void bindValue(sqlite3_stmt* statement, int parameter, const std::optional<Value>& value, const std::int64_t*& texts)
{
    if (value)
        bindValue(statement, parameter, *value, texts);
    else
        sqlite3_bind_null(statement, parameter);
}

/// A list of records as rows; `texts` are the numbers of all their texts in order.
template <typename Table> class RecordRows final : public RowSource {
public:
    using Record = typename Table::R;

    RecordRows(
        std::span<const Record> records, std::span<const std::int64_t> texts, std::int64_t repeat, std::int64_t ordinal)
        : m_records(records)
        , m_texts(texts.data())
        , m_repeat(repeat)
        , m_ordinal(ordinal)
    {
    }

    bool next() override { return m_next++ < m_records.size(); }

    void bind(sqlite3_stmt* statement, int first) const override
    {
        const Record& record = m_records[m_next - 1];
        sqlite3_bind_int64(statement, first, m_repeat);
        sqlite3_bind_int64(statement, first + 1, m_ordinal + static_cast<std::int64_t>(m_next) - 1);
        int parameter = first + 2;
        std::apply(
            [&](const auto&... column) { (bindValue(statement, parameter++, record.*column.member, m_texts), ...); },
            Table::kColumns);
    }

private:
    std::span<const Record> m_records;
    mutable const std::int64_t* m_texts; ///< those of the next row
    std::int64_t m_repeat;
    std::int64_t m_ordinal;
    std::size_t m_next = 0;
};

} // namespace

RecordWriter::RecordWriter(SqliteFile& file, std::int64_t repeat)
    : m_file(file)
    , m_repeat(repeat)
{
}

void RecordWriter::addOwner(trace::OwnerId id, const trace::MemoryOwner& owner)
{
    Query(m_file, "INSERT INTO owners (repeat, id, category, module, technique) VALUES (?, ?, ?, ?, ?)", m_repeat,
        std::int64_t{id}, config::toText(owner.category), trace::placeOf(owner), owner.technique)
        .run();
}

void RecordWriter::add(const trace::DeviceRecords& records)
{
    eachRecordTable([&](auto table) { addList<decltype(table)>(records); });
}

template <typename Table> void RecordWriter::addList(const trace::DeviceRecords& records)
{
    const auto& list = records.*Table::kList;
    if (list.empty())
        return;
    m_texts.clear();
    for (const auto& record : list)
        std::apply([&](const auto&... column) { (addText(record.*column.member), ...); }, Table::kColumns);
    std::int64_t& ordinal = m_nextOrdinals[Table::kName];
    RecordRows<Table> rows(list, m_texts, m_repeat, ordinal);
    static const std::vector<std::string> columns = columnNames<Table>();
    m_file.rowFeed().insert(Table::kName, columns, rows);
    ordinal += static_cast<std::int64_t>(list.size());
}

template <typename Value> void RecordWriter::addText(const Value& value)
{
    if constexpr (std::is_same_v<Value, std::string>)
        m_texts.push_back(idOf(value));
}

std::int64_t RecordWriter::idOf(const std::string& text)
{
    const auto [entry, isNew] = m_strings.try_emplace(text, static_cast<std::int64_t>(m_strings.size()));
    if (isNew)
        Query(m_file, "INSERT INTO strings (repeat, id, value) VALUES (?, ?, ?)", m_repeat, entry->second, text).run();
    return entry->second;
}

} // namespace headroom::store
