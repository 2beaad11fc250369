// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/RecordSchema.h"

namespace headroom::store {
namespace {

struct Table {
    const char* name;
    const char* timeColumn;
    const char* columns;
};

// Documented column by column in docs/database.md; the same in a workspace and in a spool.
constexpr Table kRecordTables[] = {
    {"memory_records", "time_ns", R"sql(
    time_ns                      INTEGER NOT NULL,
    address                      INTEGER NOT NULL,
    bytes                        INTEGER NOT NULL,
    memory_operation_type        INTEGER NOT NULL,
    memory_kind                  INTEGER NOT NULL,
    correlation_id               INTEGER NOT NULL,
    process_id                   INTEGER NOT NULL,
    device_id                    INTEGER NOT NULL,
    context_id                   INTEGER NOT NULL,
    stream_id                    INTEGER NOT NULL,
    pc                           INTEGER NOT NULL,
    is_async                     INTEGER NOT NULL,
    pool_type                    INTEGER NOT NULL,
    pool_address                 INTEGER NOT NULL,
    pool_release_threshold_bytes INTEGER NOT NULL,
    pool_bytes                   INTEGER NOT NULL,
    pool_utilized_bytes          INTEGER NOT NULL,
    name_id                      INTEGER NOT NULL,
    source_id                    INTEGER NOT NULL)sql"},
    {"memory_pool_records", "time_ns", R"sql(
    time_ns                    INTEGER NOT NULL,
    memory_pool_operation_type INTEGER NOT NULL,
    pool_type                  INTEGER NOT NULL,
    correlation_id             INTEGER NOT NULL,
    process_id                 INTEGER NOT NULL,
    device_id                  INTEGER NOT NULL,
    address                    INTEGER NOT NULL,
    min_bytes_to_keep          INTEGER NOT NULL,
    bytes                      INTEGER NOT NULL,
    utilized_bytes             INTEGER NOT NULL,
    release_threshold_bytes    INTEGER NOT NULL)sql"},
    {"virtual_memory_calls", "time_ns", R"sql(
    time_ns   INTEGER NOT NULL,
    call      INTEGER NOT NULL,
    address   INTEGER NOT NULL,
    bytes     INTEGER NOT NULL,
    handle    INTEGER NOT NULL,
    device_id INTEGER NOT NULL)sql"},
    {"copies", "begin_ns", R"sql(
    begin_ns       INTEGER NOT NULL,
    end_ns         INTEGER NOT NULL,
    bytes          INTEGER NOT NULL,
    copy_kind      INTEGER NOT NULL,
    src_kind       INTEGER NOT NULL,
    dst_kind       INTEGER NOT NULL,
    device_id      INTEGER NOT NULL,
    context_id     INTEGER NOT NULL,
    stream_id      INTEGER NOT NULL,
    correlation_id INTEGER NOT NULL,
    graph_node_id  INTEGER NOT NULL,
    src_device_id  INTEGER NOT NULL,
    dst_device_id  INTEGER NOT NULL,
    copy_count     INTEGER NOT NULL,
    is_async       INTEGER NOT NULL)sql"},
    {"memsets", "begin_ns", R"sql(
    begin_ns       INTEGER NOT NULL,
    end_ns         INTEGER NOT NULL,
    bytes          INTEGER NOT NULL,
    value          INTEGER NOT NULL,
    memory_kind    INTEGER NOT NULL,
    device_id      INTEGER NOT NULL,
    context_id     INTEGER NOT NULL,
    stream_id      INTEGER NOT NULL,
    correlation_id INTEGER NOT NULL,
    graph_node_id  INTEGER NOT NULL,
    is_async       INTEGER NOT NULL)sql"},
    {"kernels", "begin_ns", R"sql(
    begin_ns               INTEGER NOT NULL,
    end_ns                 INTEGER NOT NULL,
    device_id              INTEGER NOT NULL,
    context_id             INTEGER NOT NULL,
    stream_id              INTEGER NOT NULL,
    correlation_id         INTEGER NOT NULL,
    grid_id                INTEGER NOT NULL,
    grid_x                 INTEGER NOT NULL,
    grid_y                 INTEGER NOT NULL,
    grid_z                 INTEGER NOT NULL,
    block_x                INTEGER NOT NULL,
    block_y                INTEGER NOT NULL,
    block_z                INTEGER NOT NULL,
    registers_per_thread   INTEGER NOT NULL,
    static_shared_bytes    INTEGER NOT NULL,
    dynamic_shared_bytes   INTEGER NOT NULL,
    shared_executed_bytes  INTEGER NOT NULL,
    local_per_thread_bytes INTEGER NOT NULL,
    local_total_bytes      INTEGER NOT NULL,
    launch_type            INTEGER NOT NULL,
    graph_node_id          INTEGER NOT NULL,
    name_id                INTEGER NOT NULL)sql"},
    {"api_calls", "begin_ns", R"sql(
    begin_ns       INTEGER NOT NULL,
    end_ns         INTEGER NOT NULL,
    is_driver      INTEGER NOT NULL,
    cbid           INTEGER NOT NULL,
    name_id        INTEGER NOT NULL,
    process_id     INTEGER NOT NULL,
    thread_id      INTEGER NOT NULL,
    correlation_id INTEGER NOT NULL,
    return_value   INTEGER NOT NULL)sql"},
    {"overheads", "begin_ns", R"sql(
    begin_ns       INTEGER NOT NULL,
    end_ns         INTEGER NOT NULL,
    overhead_kind  INTEGER NOT NULL,
    process_id     INTEGER NOT NULL,
    thread_id      INTEGER NOT NULL,
    correlation_id INTEGER NOT NULL)sql"},
    {"markers", "begin_ns", R"sql(
    begin_ns   INTEGER NOT NULL,
    end_ns     INTEGER NOT NULL,
    id         INTEGER NOT NULL,
    is_mark    INTEGER NOT NULL,
    process_id INTEGER NOT NULL,
    thread_id  INTEGER NOT NULL,
    name_id    INTEGER NOT NULL,
    domain_id  INTEGER NOT NULL)sql"},
    {"device_samples", "time_ns", R"sql(
    time_ns               INTEGER NOT NULL,
    total_bytes           INTEGER,
    used_bytes            INTEGER,
    free_bytes            INTEGER,
    reserved_bytes        INTEGER,
    process_bytes         INTEGER,
    other_processes_bytes INTEGER,
    other_processes       INTEGER,
    gpu_utilisation       REAL,
    memory_utilisation    REAL,
    sm_clock_mhz          INTEGER,
    memory_clock_mhz      INTEGER,
    power_watts           REAL,
    temperature_celsius   REAL,
    throttle_reasons      INTEGER)sql"},
    {"host_samples", "time_ns", R"sql(
    time_ns        INTEGER NOT NULL,
    resident_bytes INTEGER,
    pinned_bytes   INTEGER)sql"},
    {"clock_syncs", "time_ns", R"sql(
    time_ns      INTEGER NOT NULL,
    realtime_ns  INTEGER NOT NULL,
    monotonic_ns INTEGER NOT NULL)sql"},
};

constexpr auto kOwnerColumns = R"sql(
    id        INTEGER NOT NULL,
    category  TEXT NOT NULL,
    module    TEXT NOT NULL,
    technique TEXT NOT NULL)sql";
constexpr auto kStringColumns = R"sql(
    id    INTEGER NOT NULL,
    value TEXT NOT NULL)sql";

// The size of earlier traces is the sum of their parts.
constexpr auto kTraceTable = R"sql(
CREATE TABLE traces (
    repeat INTEGER PRIMARY KEY REFERENCES repeats (id) ON DELETE CASCADE,
    bytes  INTEGER NOT NULL
) STRICT;
INSERT INTO traces SELECT repeat, sum(bytes) FROM (
    SELECT repeat, length(data) AS bytes FROM event_blocks
    UNION ALL SELECT repeat, length(data) FROM pyramids) GROUP BY repeat;
)sql";

std::string categoryPyramids(const std::string& repeatColumn)
{
    return "CREATE TABLE category_pyramids (" + repeatColumn + R"sql(
    track    TEXT NOT NULL,
    level    INTEGER NOT NULL,
    first_ns INTEGER NOT NULL,
    last_ns  INTEGER NOT NULL,
    count    INTEGER NOT NULL,
    data     BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX category_pyramids_by_time ON category_pyramids (repeat, track, level, first_ns);
)sql";
}

} // namespace

// Their key keeps them in order of time, and readers need no other index. They have no foreign key, as checking it for
// every row would cost as much as the row: a trigger removes the rows of a repeat.
std::string workspaceRecordTables()
{
    const std::string ofRepeat = "repeat INTEGER NOT NULL REFERENCES repeats (id) ON DELETE CASCADE,";
    std::string sql = "CREATE TABLE owners (" + ofRepeat + kOwnerColumns
        + ",\n PRIMARY KEY (repeat, id)) STRICT, WITHOUT ROWID;\nCREATE TABLE strings (" + ofRepeat + kStringColumns
        + ",\n PRIMARY KEY (repeat, id)) STRICT, WITHOUT ROWID;\n";
    std::string trigger = "CREATE TRIGGER records_of_repeat AFTER DELETE ON repeats BEGIN\n";
    for (const Table& table : kRecordTables) {
        sql += std::string("CREATE TABLE ") + table.name + " (repeat INTEGER NOT NULL, ordinal INTEGER NOT NULL,"
            + table.columns + ",\n PRIMARY KEY (repeat, " + table.timeColumn + ", ordinal)) STRICT, WITHOUT ROWID;\n";
        trigger += std::string("DELETE FROM ") + table.name + " WHERE repeat = OLD.id;\n";
    }
    return sql + trigger + "END;\n" + categoryPyramids(ofRepeat) + kTraceTable;
}

// Of each 4,096 rows: when they begin, and when the last of them ends.
std::string workspaceRecordIndex()
{
    std::string sql = R"sql(
CREATE TABLE record_stretches (
    repeat   INTEGER NOT NULL REFERENCES repeats (id) ON DELETE CASCADE,
    records  TEXT NOT NULL,
    ordinal  INTEGER NOT NULL,
    first_ns INTEGER NOT NULL,
    last_ns  INTEGER NOT NULL,
    end_ns   INTEGER NOT NULL,
    count    INTEGER NOT NULL,
    PRIMARY KEY (repeat, records, ordinal)
) STRICT, WITHOUT ROWID;
CREATE TABLE occupancies (
    repeat   INTEGER NOT NULL REFERENCES repeats (id) ON DELETE CASCADE,
    work     TEXT NOT NULL CHECK (work IN ('kernels', 'copies')),
    first_ns INTEGER NOT NULL,
    level    INTEGER NOT NULL,
    count    INTEGER NOT NULL,
    busy     BLOB NOT NULL,
    PRIMARY KEY (repeat, work)
) STRICT;
)sql";
    for (const char* const table : {"copies", "memsets", "kernels", "api_calls", "overheads", "markers"})
        sql += std::string("INSERT INTO record_stretches SELECT repeat, '") + table
            + "', place / 4096, min(begin_ns), max(begin_ns), max(max(begin_ns, end_ns)), count(*) FROM (SELECT "
              "repeat, "
              "begin_ns, end_ns, row_number() OVER (PARTITION BY repeat ORDER BY begin_ns, ordinal) - 1 AS place FROM "
            + table + ") GROUP BY repeat, place / 4096;\n";
    return sql;
}

// There are no indexes while a worker writes.
std::string spoolRecordTables()
{
    const std::string repeat = "repeat INTEGER NOT NULL,";
    std::string sql = "CREATE TABLE owners (" + repeat + kOwnerColumns + ") STRICT;\nCREATE TABLE strings (" + repeat
        + kStringColumns + ") STRICT;\n";
    for (const Table& table : kRecordTables)
        sql += std::string("CREATE TABLE ") + table.name + " (repeat INTEGER NOT NULL, ordinal INTEGER PRIMARY KEY,"
            + table.columns + ") STRICT;\n";
    return sql + categoryPyramids(repeat);
}

} // namespace headroom::store
