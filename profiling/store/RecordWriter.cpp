// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/RecordWriter.h"

#include "profiling/store/Query.h"
#include "profiling/store/RecordTables.h"

#include <sqlite3.h>

#include <array>
#include <span>
#include <type_traits>
#include <utility>

namespace headroom::store {
namespace {

using Strings = RecordWriter::Strings;

// What SQL keeps of a member.
void give(sqlite3_context* result, const std::string& text, const Strings& strings)
{
    sqlite3_result_int64(result, strings.find(text)->second);
}

template <typename Number> void give(sqlite3_context* result, const Number& number, const Strings&)
{
    if constexpr (std::is_floating_point_v<Number>)
        sqlite3_result_double(result, number);
    else
        sqlite3_result_int64(result, static_cast<std::int64_t>(number));
}

template <typename Value> void give(sqlite3_context* result, const std::optional<Value>& value, const Strings& strings)
{
    if (value)
        give(result, *value, strings);
    else
        sqlite3_result_null(result);
}

/// A list of records as rows; all their texts have numbers.
template <typename Table> class RecordRows final : public RowSource {
public:
    using Record = typename Table::R;

    RecordRows(std::span<const Record> records, std::int64_t repeat, std::int64_t ordinal, const Strings& strings)
        : m_records(records)
        , m_repeat(repeat)
        , m_ordinal(ordinal)
        , m_strings(strings)
    {
    }

    bool next() noexcept override
    {
        m_record = m_record == nullptr ? m_records.data() : m_record + 1;
        return m_record != m_records.data() + m_records.size();
    }

    void column(sqlite3_context* result, int index) const noexcept override
    {
        if (index == 0)
            sqlite3_result_int64(result, m_repeat);
        else if (index == 1)
            sqlite3_result_int64(result, m_ordinal + (m_record - m_records.data()));
        else
            kGivers[static_cast<std::size_t>(index) - 2](result, *m_record, m_strings);
    }

private:
    static constexpr std::size_t kCount = std::tuple_size_v<std::remove_cvref_t<decltype(Table::kColumns)>>;
    using Giver = void (*)(sqlite3_context*, const Record&, const Strings&);

    template <std::size_t kIndex>
    static void giveMember(sqlite3_context* result, const Record& record, const Strings& strings)
    {
        give(result, record.*std::get<kIndex>(Table::kColumns).member, strings);
    }
    template <std::size_t... kIndex> static constexpr std::array<Giver, kCount> givers(std::index_sequence<kIndex...>)
    {
        return {giveMember<kIndex>...};
    }
    static constexpr std::array<Giver, kCount> kGivers = givers(std::make_index_sequence<kCount>());

    std::span<const Record> m_records;
    const Record* m_record = nullptr;
    std::int64_t m_repeat;
    std::int64_t m_ordinal;
    const Strings& m_strings;
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
        std::int64_t{id}, config::toText(owner.category), owner.module, owner.technique)
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
    for (const auto& record : list)
        std::apply([&](const auto&... column) { (addTexts(record.*column.member), ...); }, Table::kColumns);
    static const std::vector<std::string> names = columnNames<Table>();
    static const std::string columns = joined(names);
    std::int64_t& ordinal = m_nextOrdinals[Table::kName];
    RecordRows<Table> rows(list, m_repeat, ordinal, m_strings);
    m_file.rowFeed().insert(Table::kName, columns, static_cast<int>(names.size()), rows);
    ordinal += static_cast<std::int64_t>(list.size());
}

template <typename Value> void RecordWriter::addTexts(const Value& value)
{
    if constexpr (std::is_same_v<Value, std::string>)
        addText(value);
}

void RecordWriter::addText(const std::string& text)
{
    const auto [entry, isNew] = m_strings.try_emplace(text, static_cast<std::int64_t>(m_strings.size()));
    if (isNew)
        Query(m_file, "INSERT INTO strings (repeat, id, value) VALUES (?, ?, ?)", m_repeat, entry->second, text).run();
}

} // namespace headroom::store
