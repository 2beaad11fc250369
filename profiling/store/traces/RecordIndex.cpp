// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/traces/RecordIndex.h"

#include "profiling/store/Query.h"
#include "profiling/store/RecordTables.h"
#include "profiling/trace/MalformedBlock.h"

#include <algorithm>

namespace headroom::store {
namespace {

constexpr std::int64_t kStretchRows = 4'096;

constexpr auto kInsertStretch =
    "INSERT INTO record_stretches (repeat, records, ordinal, first_ns, last_ns, end_ns, count) "
    "VALUES (?, ?, ?, ?, ?, ?, ?)";
constexpr auto kReaching = "SELECT first_ns, last_ns FROM record_stretches "
                           "WHERE repeat = ? AND records = ? AND first_ns < ? AND end_ns > ? ORDER BY ordinal";

/// Collects rows of a table, which come in order of time, into stretches.
class StretchWriter {
public:
    StretchWriter(SqliteFile& file, std::int64_t repeat, const char* table)
        : m_file(file)
        , m_repeat(repeat)
        , m_table(table)
    {
    }

    void add(const trace::Span& span)
    {
        if (m_count == 0)
            m_firstNs = m_endNs = span.beginNs;
        m_lastNs = span.beginNs;
        m_endNs = std::max({m_endNs, span.beginNs, span.endNs});
        if (++m_count == kStretchRows)
            flush();
    }

    void flush()
    {
        if (m_count > 0)
            Query(m_file, kInsertStretch, m_repeat, m_table, m_ordinal++, m_firstNs, m_lastNs, m_endNs, m_count).run();
        m_count = 0;
    }

private:
    SqliteFile& m_file;
    std::int64_t m_repeat;
    const char* m_table;
    std::int64_t m_ordinal = 0;
    std::int64_t m_firstNs = 0;
    std::int64_t m_lastNs = 0;
    std::int64_t m_endNs = 0;
    std::int64_t m_count = 0;
};

template <typename Table> constexpr bool kHasSpans = requires(typename Table::R record) { record.endNs; };

template <typename Visit>
void eachSpanIn(SqliteFile& file, std::int64_t repeat, const std::string& table, const Visit& visit)
{
    Query query(file,
        ("SELECT begin_ns, end_ns FROM " + table + " WHERE repeat = ? ORDER BY begin_ns, ordinal").c_str(), repeat);
    while (query.step())
        visit(trace::Span{query.integer(0), query.integer(1)});
}

void insertOccupancy(SqliteFile& file, std::int64_t repeat, Work work, const trace::Occupancy& occupancy)
{
    if (occupancy.busyNs.empty())
        return;
    const std::vector<std::byte> data = trace::encodeOccupancy(occupancy);
    Query(file, "INSERT INTO occupancies (repeat, work, first_ns, level, count, busy) VALUES (?, ?, ?, ?, ?, ?)",
        repeat, toText(work), occupancy.firstNs, occupancy.shift, occupancy.busyNs.size(),
        std::span<const std::byte>(data))
        .run();
}

/// Reads each table of spans once.
class RecordIndexer {
public:
    RecordIndexer(SqliteFile& file, std::int64_t repeat)
        : m_file(file)
        , m_repeat(repeat)
    {
    }

    void run()
    {
        for (const char* const table : {"record_stretches", "occupancies"})
            Query(m_file, (std::string("DELETE FROM ") + table + " WHERE repeat = ?").c_str(), m_repeat).run();
        eachRecordTable([&](auto table) {
            if constexpr (kHasSpans<decltype(table)>)
                index(decltype(table)::kName);
        });
        insertOccupancy(m_file, m_repeat, Work::Kernels, m_kernels.take());
        std::ranges::sort(m_copies, {}, &trace::Span::beginNs);
        trace::OccupancyBuilder copies;
        for (const trace::Span& span : m_copies)
            copies.add(span);
        insertOccupancy(m_file, m_repeat, Work::Copies, copies.take());
    }

private:
    void index(const std::string& table)
    {
        StretchWriter stretches(m_file, m_repeat, table.c_str());
        const bool isKernels = table == "kernels";
        const bool isCopies = table == "copies" || table == "memsets";
        eachSpanIn(m_file, m_repeat, table, [&](const trace::Span& span) {
            stretches.add(span);
            if (isKernels)
                m_kernels.add(span);
            else if (isCopies)
                m_copies.push_back(span);
        });
        stretches.flush();
    }

    SqliteFile& m_file;
    std::int64_t m_repeat;
    trace::OccupancyBuilder m_kernels;
    std::vector<trace::Span> m_copies;
};

} // namespace

const char* toText(Work work)
{
    return work == Work::Kernels ? "kernels" : "copies";
}

void indexRecords(SqliteFile& file, std::int64_t repeat)
{
    RecordIndexer(file, repeat).run();
}

std::optional<trace::Occupancy> readOccupancy(SqliteFile& file, std::int64_t repeat, Work work)
{
    Query query(file, "SELECT busy FROM occupancies WHERE repeat = ? AND work = ?", repeat, toText(work));
    try {
        return query.step() ? std::optional(trace::decodeOccupancy(query.bytes(0))) : std::nullopt;
    } catch (const trace::MalformedBlock&) {
        return std::nullopt; // it only repeats what the records say
    }
}

std::vector<trace::Span> stretchesReaching(
    SqliteFile& file, std::int64_t repeat, const std::string& table, std::int64_t timeNs)
{
    std::vector<trace::Span> stretches;
    Query query(file, kReaching, repeat, table, timeNs, timeNs);
    while (query.step())
        stretches.push_back({query.integer(0), query.integer(1)});
    return stretches;
}

} // namespace headroom::store
