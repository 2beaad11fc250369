// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/workspace/WorkspaceRepair.h"

#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "profiling/store/FileProbe.h"
#include "profiling/store/Query.h"
#include "profiling/store/RecordTables.h"
#include "profiling/store/WriteTransaction.h"
#include "profiling/store/traces/PyramidRebuild.h"
#include "profiling/store/traces/RecordIndex.h"
#include "profiling/store/traces/StretchRebuild.h"
#include "profiling/store/traces/TraceReader.h"
#include "profiling/store/traces/TrackPyramids.h"
#include "profiling/trace/EventBlock.h"
#include "profiling/trace/MalformedBlock.h"
#include "profiling/trace/peaks/SegmentStretches.h"
#include "profiling/trace/pyramids/CategoryChunk.h"
#include "profiling/trace/pyramids/PyramidChunk.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <numeric>

namespace headroom::store {
namespace {

namespace fs = std::filesystem;

// The columns without which a row of results is worthless.
constexpr std::pair<const char*, const char*> kJsonColumns[] = {
    {"environments", "json"}, {"trials", "request_json"}, {"repeats", "result_json"}};

// An experiment whose own row is lost, while its trials and their results are not.
constexpr auto kAdoptTrials =
    "INSERT INTO experiments (id, name, created_at_ms, spec_toml, spec_json, command_line, headroom_version) "
    "SELECT experiment, 'recovered', coalesce(min(repeats.started_at_ms), 0), '', '{}', '', '' FROM trials "
    "LEFT JOIN repeats ON repeats.trial = trials.id "
    "WHERE experiment NOT IN (SELECT id FROM experiments) GROUP BY experiment";
constexpr auto kCountTrials =
    "UPDATE trials SET status = CASE (SELECT count(*) FROM repeats WHERE trial = trials.id AND outcome <> 'cancelled') "
    "WHEN 0 THEN 'planned' ELSE CASE WHEN (SELECT count(*) FROM repeats WHERE trial = trials.id "
    "AND outcome <> 'cancelled') >= expected_repeats THEN 'done' ELSE 'running' END END";
constexpr auto kMissingTraces = "INSERT INTO traces (repeat, bytes) SELECT repeat, sum(length(data)) FROM event_blocks "
                                "WHERE repeat NOT IN (SELECT repeat FROM traces) GROUP BY repeat";

std::vector<SalvageTable> tablesOf(SqliteFile& file)
{
    std::vector<SalvageTable> tables;
    Query names(file,
        "SELECT name, sql LIKE '%WITHOUT ROWID' FROM sqlite_schema WHERE type = 'table' "
        "AND name NOT LIKE 'sqlite_%' AND name NOT IN ('record_stretches', 'occupancies', 'segment_stretches') " // built
                                                                                                                 // anew
        "ORDER BY rowid");
    while (names.step()) {
        SalvageTable table{names.text(0), {}, {}};
        Query columns(file, "SELECT name FROM pragma_table_info(?) ORDER BY cid", table.name);
        while (columns.step())
            table.columns.push_back(columns.text(0));
        Query key(file, "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", table.name);
        while (names.integer(1) == 1 && key.step())
            table.key.push_back(key.text(0));
        tables.push_back(std::move(table));
    }
    return tables;
}

// An older version has fewer columns; missing ones stay empty.
std::vector<std::string> shared(const std::vector<std::string>& wanted, const std::vector<std::string>& present)
{
    std::vector<std::string> both;
    std::ranges::copy_if(wanted, std::back_inserter(both),
        [&](const std::string& column) { return std::ranges::find(present, column) != present.end(); });
    return both;
}

std::span<const std::byte> blobOf(sqlite3_stmt* row, int column)
{
    const void* const data = sqlite3_column_blob(row, column);
    return {static_cast<const std::byte*>(data), static_cast<std::size_t>(sqlite3_column_bytes(row, column))};
}

// Verifies the checksum of a trace's block; all of the block is in `data`.
void verifyData(const std::string& table, std::span<const std::byte> data)
{
    if (table == "event_blocks")
        trace::verifyEventBlock(data);
    else if (table == "pyramids")
        trace::decodePyramidChunk(data);
    else
        trace::decodeCategoryChunk(data);
}

// Inserts rows of one table; rows that violate its constraints are refused.
class RowInserter {
public:
    RowInserter(SqliteFile& file, const SalvageTable& table)
        : m_columns(static_cast<int>(table.columns.size()))
    {
        const std::vector<std::string> values(table.columns.size(), "?");
        const std::string sql =
            fmt::format("INSERT INTO {} ({}) VALUES ({})", table.name, joined(table.columns), joined(values));
        sqlite3* const database = file.database().getHandle();
        if (const int code = sqlite3_prepare_v2(database, sql.c_str(), -1, &m_statement, nullptr); code != SQLITE_OK)
            file.fail(SQLite::Exception(database, code));
    }
    ~RowInserter() { sqlite3_finalize(m_statement); }
    RowInserter(const RowInserter&) = delete;
    RowInserter& operator=(const RowInserter&) = delete;

    /// Returns SQLite's result code.
    int insert(sqlite3_stmt* row)
    {
        for (int column = 0; column < m_columns; ++column)
            sqlite3_bind_value(m_statement, column + 1, sqlite3_column_value(row, column));
        sqlite3_step(m_statement);
        return sqlite3_reset(m_statement);
    }

private:
    int m_columns;
    sqlite3_stmt* m_statement = nullptr;
};

void requireFree(const fs::path& target)
{
    std::error_code ignored;
    for (const char* ending : {"", "-wal", "-shm", "-journal"})
        if (fs::exists(fs::symlink_status(target.string() + ending, ignored)))
            throw FileError("there is a file of this name already", target.string() + ending, "another name");
}

void removeAll(const fs::path& target)
{
    std::error_code ignored;
    for (const char* ending : {"", "-wal", "-shm", "-journal"})
        fs::remove(target.string() + ending, ignored);
}

} // namespace

std::int64_t RepairReport::copied() const
{
    return std::accumulate(tables.begin(), tables.end(), std::int64_t{0},
        [](std::int64_t sum, const RepairedTable& table) { return sum + table.copied; });
}

std::int64_t RepairReport::lost() const
{
    return std::accumulate(tables.begin(), tables.end(), std::int64_t{0},
        [](std::int64_t sum, const RepairedTable& table) { return sum + table.lost; });
}

RepairReport WorkspaceRepair::writeTo(const fs::path& target)
{
    requireFree(target);
    try {
        SqliteFile file(target, Access::Create, workspaceSchema(), kDefaultBusyTimeout);
        file.execute("PRAGMA foreign_keys = OFF"); // parents may come after their children, or not at all
        WriteTransaction transaction(file);
        for (SalvageTable& table : tablesOf(file))
            copyTable(file, table);
        adopt(file);
        dropOrphans(file);
        rebuildTraces(file);
        for (const std::int64_t repeat : m_repeats)
            indexRecords(file, repeat);
        noteRepair(file);
        transaction.commit();
        if (m_report.copied() == 0 && (m_report.lost() > 0 || !m_report.remarks.empty()))
            throw FileError("nothing of it could be read", target.string());
    } catch (const FileError&) {
        removeAll(target);
        throw;
    }
    return m_report;
}

void WorkspaceRepair::copyTable(SqliteFile& file, const SalvageTable& wanted)
{
    m_report.tables.push_back({.name = wanted.name});
    RepairedTable& entry = m_report.tables.back();
    SalvageTable table = wanted;
    table.columns = shared(wanted.columns, m_source.columnsOf(wanted.name));
    if (table.columns.empty()) {
        m_report.remarks.push_back(fmt::format("the table '{}' is not there", wanted.name));
        return;
    }
    RowInserter inserter(file, table);
    const bool isRepeats = wanted.name == "repeats";
    const auto id = static_cast<int>(std::ranges::find(table.columns, "id") - table.columns.begin());
    const auto copy = [&](sqlite3_stmt* row) {
        if (isRepeats) // if it is refused, the rows that belong to it are counted too
            m_repeats.push_back(sqlite3_column_int64(row, id));
        const int code = isSensible(file, table, row) ? inserter.insert(row) : SQLITE_CONSTRAINT;
        if (code == SQLITE_OK)
            ++entry.copied;
        else if ((code & 0xff) == SQLITE_CONSTRAINT)
            ++entry.lost;
        else
            file.fail(SQLite::Exception(file.database().getHandle(), code));
    };
    const SalvageCount count =
        table.key.empty() ? m_source.readByNumber(table, copy) : m_source.readByKey(table, m_repeats, copy);
    entry.lost += count.unreadable;
    m_hasLostPyramids = m_hasLostPyramids || (entry.lost > 0 && wanted.name.find("pyramids") != std::string::npos);
    if (isRepeats)
        std::ranges::sort(m_repeats);
}

bool WorkspaceRepair::isSensible(SqliteFile& file, const SalvageTable& table, sqlite3_stmt* row)
{
    for (const auto& [name, column] : kJsonColumns) {
        const auto place = std::ranges::find(table.columns, column);
        if (table.name != name || place == table.columns.end())
            continue;
        const int index = static_cast<int>(place - table.columns.begin());
        Query valid(file, "SELECT coalesce(json_valid(?), 0)",
            std::string_view(reinterpret_cast<const char*>(blobOf(row, index).data()), blobOf(row, index).size()));
        if (sqlite3_column_type(row, index) != SQLITE_NULL && !(valid.step() && valid.integer(0) == 1))
            return false;
    }
    const auto data = std::ranges::find(table.columns, "data");
    try {
        if (data != table.columns.end())
            verifyData(table.name, blobOf(row, static_cast<int>(data - table.columns.begin())));
    } catch (const trace::MalformedBlock&) {
        return false;
    }
    return true;
}

void WorkspaceRepair::adopt(SqliteFile& file)
{
    file.execute(kAdoptTrials);
    if (const auto adopted = file.integer("SELECT changes()"); adopted > 0)
        m_report.remarks.push_back(fmt::format(
            "the description of {} experiments is lost; their trials stand under the name 'recovered'", adopted));
}

// The rows that belong to a lost row.
void WorkspaceRepair::dropOrphans(SqliteFile& file)
{
    const auto drop = [&](const std::string& table, const std::string& column, const std::string& parents) {
        file.execute(fmt::format(
            "DELETE FROM {0} WHERE {1} IS NOT NULL AND {1} NOT IN (SELECT id FROM {2})", table, column, parents));
    };
    drop("repeats", "trial", "trials");
    for (const RepairedTable& table : m_report.tables)
        if (Query hasRepeat(file, "SELECT 1 FROM pragma_table_info(?) WHERE name = 'repeat'", table.name);
            hasRepeat.step())
            drop(table.name, "repeat", "repeats");
    drop("diagnostics", "trial", "trials");
    drop("diagnostics", "experiment", "experiments");
    for (const char* table : {"repeats", "experiments"})
        file.execute(fmt::format(
            "UPDATE {} SET environment = NULL WHERE environment NOT IN (SELECT id FROM environments)", table));
    countRows(file);
    file.execute(kCountTrials);
    file.execute(kMissingTraces);
}

// Rows that were dropped again are lost.
void WorkspaceRepair::countRows(SqliteFile& file)
{
    for (RepairedTable& table : m_report.tables) {
        const std::int64_t left = file.integer("SELECT count(*) FROM " + table.name);
        const std::int64_t dropped = std::max<std::int64_t>(0, table.copied - left);
        table.copied -= dropped;
        table.lost += dropped;
    }
}

void WorkspaceRepair::rebuildTraces(SqliteFile& file)
{
    std::int64_t rebuilt = 0;
    const TraceReader reader(file);
    for (const std::int64_t repeat : m_repeats) {
        const trace::OwnerCategories owners(reader.owners(repeat).all());
        for (const TrackRow& track : reader.tracks(repeat)) {
            if (track.events > static_cast<std::int64_t>(trace::SegmentStretches::kFewestEvents))
                rebuildStretches(file, repeat, track.track);
            if (!m_hasLostPyramids || track.events <= static_cast<std::int64_t>(TrackPyramids::kMaxEventsWithout))
                continue;
            rebuildPyramids(file, repeat, track.track, owners);
            ++rebuilt;
        }
    }
    if (rebuilt > 0)
        m_report.remarks.push_back(fmt::format("the pyramids of {} tracks were built anew", rebuilt));
}

void WorkspaceRepair::noteRepair(SqliteFile& file)
{
    const std::int64_t lost = m_report.lost();
    if (lost == 0)
        return;
    Query(file,
        "INSERT INTO diagnostics (experiment, severity, kind, message, count) "
        "SELECT id, 'warning', 'repaired', ?, ? FROM experiments",
        "the workspace was damaged and has been repaired: a part of what it held is lost", lost)
        .run();
}

RepairReport repairWorkspace(const fs::path& damaged, const fs::path& target)
{
    FileProbe(damaged, workspaceSchema()).require(Access::ReadOnly);
    const SalvageSource source(damaged);
    return WorkspaceRepair(source).writeTo(target);
}

} // namespace headroom::store
