// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/traces/RecordReader.h"

#include "core/base/Wording.h"
#include "profiling/store/Query.h"
#include "profiling/store/RecordTables.h"

#include <algorithm>
#include <limits>
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
            + " BETWEEN ? AND ? AND " + end + " >= ? ORDER BY " + time + ", ordinal";
    }();
    return sql;
}

constexpr auto kEver = std::numeric_limits<std::int64_t>::min();
constexpr auto kNever = std::numeric_limits<std::int64_t>::max();

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

template <typename String> void read(const Query& query, int column, const String& string, std::string& text)
{
    text = string(query.integer(column));
}

template <typename String, typename Number> void read(const Query& query, int column, const String&, Number& number)
{
    number = static_cast<Number>(query.integer(column));
}

template <typename String, typename Number>
void read(const Query& query, int column, const String&, std::optional<Number>& number)
{
    if (const auto value = query.optionalInteger(column))
        number = static_cast<Number>(*value);
}

template <typename String> void read(const Query& query, int column, const String&, std::optional<double>& number)
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
    eachRecordTable([&](auto table) { readList<decltype(table)>(records, fromNs, toNs); });
    return records;
}

trace::DeviceRecords RecordReader::memoryRecords(std::int64_t fromNs, std::int64_t toNs)
{
    trace::DeviceRecords records;
    eachRecordTable([&](auto table) {
        using Table = decltype(table);
        if constexpr (kIsSpan<Table>)
            readRows<Table>(records, selectionOf<Table>() + " LIMIT 1", {kEver, kNever}, kEver);
        else
            readList<Table>(records, fromNs, toNs);
    });
    return records;
}

std::vector<trace::Span> RecordReader::spans(Work work, std::int64_t fromNs, std::int64_t toNs)
{
    std::vector<trace::Span> spans;
    const auto add = [&](const std::string& table) {
        const std::string sql = "SELECT begin_ns, end_ns FROM " + table
            + " WHERE repeat = ? AND begin_ns BETWEEN ? AND ? AND end_ns > ? ORDER BY begin_ns, ordinal";
        for (const trace::Span& place : placesOf(table, fromNs, toNs)) {
            Query query(m_file, sql.c_str(), m_repeat, place.beginNs, place.endNs, fromNs);
            while (query.step())
                spans.push_back({query.integer(0), query.integer(1)});
        }
    };
    if (work == Work::Kernels) {
        add("kernels");
    } else {
        add("copies");
        add("memsets");
    }
    return spans;
}

// What began earlier and reaches into the window lies in few stretches of rows; without them, anywhere before.
std::vector<trace::Span> RecordReader::placesOf(const std::string& table, std::int64_t fromNs, std::int64_t toNs)
{
    if (toNs == kEver)
        return {};
    if (!hasIndex() || fromNs == kEver)
        return {{kEver, toNs - 1}};
    std::vector<trace::Span> places;
    for (const trace::Span& stretch : stretchesReaching(m_file, m_repeat, table, fromNs)) {
        const std::int64_t begin = // equal begins may be in two stretches
            places.empty() ? stretch.beginNs : std::max(stretch.beginNs, places.back().endNs + 1);
        if (const std::int64_t end = std::min(stretch.endNs, fromNs - 1); begin <= end)
            places.push_back({begin, end});
    }
    if (fromNs < toNs)
        places.push_back({fromNs, toNs - 1});
    return places;
}

template <typename Table>
void RecordReader::readList(trace::DeviceRecords& records, std::int64_t fromNs, std::int64_t toNs)
{
    // What has no end counts where it is.
    const std::vector<trace::Span> places = placesOf(kIsSpan<Table> ? Table::kName : "", fromNs, toNs);
    for (const trace::Span& place : places)
        readRows<Table>(records, selectionOf<Table>(), place, fromNs);
}

template <typename Table>
void RecordReader::readRows(
    trace::DeviceRecords& records, const std::string& sql, const trace::Span& begins, std::int64_t fromNs)
{
    const auto text = [this](std::int64_t id) -> const std::string& { return string(id); };
    Query query(m_file, sql.c_str(), m_repeat, begins.beginNs, begins.endNs, fromNs);
    while (query.step()) {
        auto& record = (records.*Table::kList).emplace_back();
        int index = 2;
        std::apply(
            [&](const auto&... column) { (read(query, index++, text, record.*column.member), ...); }, Table::kColumns);
    }
}

bool RecordReader::hasIndex()
{
    if (!m_hasIndex) {
        Query table(m_file, "SELECT 1 FROM sqlite_schema WHERE name = 'record_stretches'");
        m_hasIndex = table.step();
        if (!*m_hasIndex)
            readStrings();
    }
    return *m_hasIndex;
}

const std::string& RecordReader::string(std::int64_t id)
{
    static const std::string kNone;
    if (const auto known = m_strings.find(id); known != m_strings.end())
        return known->second;
    if (!hasIndex())
        return m_strings.contains(id) ? m_strings.at(id) : kNone;
    Query query(m_file, "SELECT value FROM strings WHERE repeat = ? AND id = ?", m_repeat, id);
    return m_strings.emplace(id, query.step() ? query.text(0) : kNone).first->second;
}

// They have no key in a spool.
void RecordReader::readStrings()
{
    Query query(m_file, "SELECT id, value FROM strings WHERE repeat = ?", m_repeat);
    while (query.step())
        m_strings.insert_or_assign(query.integer(0), query.text(1));
}

} // namespace headroom::store
