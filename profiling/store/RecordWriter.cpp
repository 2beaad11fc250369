// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/RecordWriter.h"

#include "profiling/store/Query.h"
#include "profiling/store/RecordTables.h"

namespace headroom::store {
namespace {

template <typename Table> const std::string& insertionOf()
{
    static const std::string sql = [] {
        std::vector<std::string> names = columnNames<Table>();
        std::string text = std::string("INSERT INTO ") + Table::kName + " (" + joined(names) + ") VALUES (";
        return text + joined(std::vector<std::string>(names.size(), "?")) + ")";
    }();
    return sql;
}

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
    std::int64_t& ordinal = m_nextOrdinals[Table::kName];
    for (const auto& record : records.*Table::kList) {
        const auto insert = [&](const auto&... column) {
            Query(m_file, insertionOf<Table>().c_str(), m_repeat, ordinal, stored(record.*column.member)...).run();
        };
        std::apply(insert, Table::kColumns);
        ++ordinal;
    }
}

std::int64_t RecordWriter::idOf(const std::string& text)
{
    const auto [entry, isNew] = m_strings.try_emplace(text, static_cast<std::int64_t>(m_strings.size()));
    if (isNew)
        Query(m_file, "INSERT INTO strings (repeat, id, value) VALUES (?, ?, ?)", m_repeat, entry->second, text).run();
    return entry->second;
}

std::optional<std::int64_t> RecordWriter::stored(const std::optional<std::uint64_t>& bits)
{
    return bits ? std::optional(static_cast<std::int64_t>(*bits)) : std::nullopt;
}

} // namespace headroom::store
