// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/traces/RecordReader.h"

#include "core/base/Wording.h"
#include "profiling/store/Query.h"
#include "profiling/store/RecordTables.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace headroom::store {
namespace {

// A trace with more owners than this was not written by us: otherwise one row could request any amount of memory.
constexpr std::int64_t kMaxOwners = 1 << 20;

template <typename Table> constexpr auto kTimeColumn = std::get<0>(Table::kColumns).name;
template <typename Table> constexpr auto kSecondColumn = std::get<1>(Table::kColumns).name;
template <typename Table> constexpr bool kIsSpan = std::string_view(kSecondColumn<Table>) == "end_ns";

// A CUPTI range that did not end (-1) and a copy whose times were lost (both 0) count at the time that they have.
template <typename Table> const std::string& selectionOf()
{
    static const std::string sql = [] {
        const std::string time = kTimeColumn<Table>;
        const std::string end = kIsSpan<Table> ? "max(begin_ns, end_ns - 1)" : time;
        return "SELECT " + joined(columnNames<Table>()) + " FROM " + Table::kName + " WHERE repeat = ? AND " + time
            + " < ? AND " + end + " >= ? ORDER BY " + time + ", ordinal";
    }();
    return sql;
}

constexpr auto kOwners = "SELECT id, category, module, technique FROM owners WHERE repeat = ? ORDER BY id";

std::optional<trace::MemoryOwner> ownerOf(const Query& row)
{
    const auto category = config::memoryCategoryFromText(row.text(1));
    if (row.integer(0) < 1 || row.integer(0) > kMaxOwners || !category)
        return std::nullopt;
    trace::MemoryOwner owner{.category = *category, .technique = row.text(3)};
    trace::setPlace(owner, row.text(2));
    return owner;
}

using Strings = std::unordered_map<std::int64_t, std::string>;

void read(const Query& query, int column, const Strings& strings, std::string& text)
{
    const auto known = strings.find(query.integer(column));
    if (known != strings.end())
        text = known->second;
}

template <typename Number> void read(const Query& query, int column, const Strings&, Number& number)
{
    number = static_cast<Number>(query.integer(column));
}

template <typename Number> void read(const Query& query, int column, const Strings&, std::optional<Number>& number)
{
    if (const auto value = query.optionalInteger(column))
        number = static_cast<Number>(*value);
}

void read(const Query& query, int column, const Strings&, std::optional<double>& number)
{
    if (query.optionalInteger(column))
        number = query.real(column);
}

} // namespace

RecordReader::RecordReader(SqliteFile& file, std::int64_t repeat)
    : m_file(file)
    , m_repeat(repeat)
{
}

std::vector<trace::MemoryOwner> RecordReader::owners() const
{
    std::vector<trace::MemoryOwner> owners(1);
    Query query(m_file, kOwners, m_repeat);
    while (query.step()) {
        const auto owner = ownerOf(query);
        if (!owner)
            continue;
        owners.resize(std::max(owners.size(), static_cast<std::size_t>(query.integer(0)) + 1));
        owners[static_cast<std::size_t>(query.integer(0))] = *owner;
    }
    return owners;
}

std::int64_t RecordReader::malformedOwners() const
{
    std::int64_t rows = 0;
    Query query(m_file, kOwners, m_repeat);
    while (query.step())
        rows += ownerOf(query) ? 0 : 1;
    return rows;
}

trace::DeviceRecords RecordReader::records(std::int64_t fromNs, std::int64_t toNs)
{
    trace::DeviceRecords records;
    readStrings();
    eachRecordTable([&](auto table) { readList<decltype(table)>(records, fromNs, toNs); });
    return records;
}

template <typename Table>
void RecordReader::readList(trace::DeviceRecords& records, std::int64_t fromNs, std::int64_t toNs) const
{
    auto& list = records.*Table::kList;
    Query query(m_file, selectionOf<Table>().c_str(), m_repeat, toNs, fromNs);
    while (query.step()) {
        auto& record = list.emplace_back();
        int index = 2;
        std::apply([&](const auto&... column) { (read(query, index++, m_strings, record.*column.member), ...); },
            Table::kColumns);
    }
}

void RecordReader::readStrings()
{
    Query query(m_file, "SELECT id, value FROM strings WHERE repeat = ?", m_repeat);
    while (query.step())
        m_strings.insert_or_assign(query.integer(0), query.text(1));
}

} // namespace headroom::store
