// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/Schema.h"

#include "profiling/store/RecordSchema.h"

namespace headroom::store {
namespace {

// Documented column by column in docs/database.md.
constexpr auto kExperimentTables = R"sql(
CREATE TABLE experiments (
    id               INTEGER PRIMARY KEY,
    name             TEXT NOT NULL,
    created_at_ms    INTEGER NOT NULL,
    spec_toml        TEXT NOT NULL,
    spec_json        TEXT NOT NULL,
    command_line     TEXT NOT NULL,
    headroom_version TEXT NOT NULL
) STRICT;
CREATE INDEX experiments_by_name ON experiments (name);

CREATE TABLE environments (
    id   INTEGER PRIMARY KEY,
    hash INTEGER NOT NULL,
    json TEXT NOT NULL
) STRICT;
CREATE INDEX environments_by_hash ON environments (hash);

CREATE TABLE trials (
    id               INTEGER PRIMARY KEY,
    experiment       INTEGER NOT NULL REFERENCES experiments (id) ON DELETE CASCADE,
    ordinal          INTEGER NOT NULL,
    trial_id         TEXT NOT NULL,
    config_id        TEXT NOT NULL,
    label            TEXT NOT NULL,
    device           TEXT NOT NULL,
    runtime          TEXT,
    predicted        INTEGER NOT NULL CHECK (predicted IN (0, 1)),
    request_json     TEXT NOT NULL,
    expected_repeats INTEGER NOT NULL CHECK (expected_repeats >= 0),
    status           TEXT NOT NULL CHECK (status IN ('planned', 'running', 'done')),
    UNIQUE (experiment, trial_id)
) STRICT;
CREATE INDEX trials_by_trial_id ON trials (trial_id);
CREATE INDEX trials_by_config_id ON trials (config_id);

CREATE TABLE repeats (
    id                   INTEGER PRIMARY KEY AUTOINCREMENT,
    trial                INTEGER NOT NULL REFERENCES trials (id) ON DELETE CASCADE,
    repeat_index         INTEGER NOT NULL CHECK (repeat_index >= 0),
    outcome              TEXT NOT NULL CHECK (outcome IN
        ('completed', 'out_of_memory', 'failed', 'timed_out', 'cancelled', 'skipped')),
    reason               TEXT,
    phase                TEXT,
    result_json          TEXT,
    started_at_ms        INTEGER,
    finished_at_ms       INTEGER,
    peak_allocated_bytes INTEGER,
    peak_reserved_bytes  INTEGER,
    environment          INTEGER REFERENCES environments (id),
    UNIQUE (trial, repeat_index)
) STRICT;

CREATE TABLE samples (
    repeat  INTEGER NOT NULL REFERENCES repeats (id) ON DELETE CASCADE,
    step    INTEGER NOT NULL,
    seconds REAL NOT NULL,
    PRIMARY KEY (repeat, step)
) STRICT, WITHOUT ROWID;

CREATE TABLE phases (
    repeat   INTEGER NOT NULL REFERENCES repeats (id) ON DELETE CASCADE,
    ordinal  INTEGER NOT NULL,
    name     TEXT NOT NULL,
    step     INTEGER NOT NULL,
    begin_ns INTEGER NOT NULL,
    end_ns   INTEGER NOT NULL,
    PRIMARY KEY (repeat, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE diagnostics (
    id         INTEGER PRIMARY KEY,
    experiment INTEGER REFERENCES experiments (id) ON DELETE CASCADE,
    trial      INTEGER REFERENCES trials (id) ON DELETE CASCADE,
    repeat     INTEGER REFERENCES repeats (id) ON DELETE CASCADE,
    severity   TEXT NOT NULL CHECK (severity IN ('info', 'warning', 'error')),
    kind       TEXT NOT NULL,
    message    TEXT NOT NULL,
    count      INTEGER NOT NULL
) STRICT;
CREATE INDEX diagnostics_by_experiment ON diagnostics (experiment);
CREATE INDEX diagnostics_by_trial ON diagnostics (trial);
CREATE INDEX diagnostics_by_repeat ON diagnostics (repeat);
)sql";

// How an experiment ended; all null while it runs, and permanently if its process was killed.
constexpr auto kExperimentEnd = R"sql(
ALTER TABLE experiments ADD COLUMN finished_at_ms INTEGER;
ALTER TABLE experiments ADD COLUMN summary_json TEXT;
ALTER TABLE experiments ADD COLUMN environment INTEGER REFERENCES environments (id);
)sql";

// The same in a workspace and in a spool, except for the reference of the repeat column.
std::string traceTables(const std::string& repeatColumn)
{
    return "CREATE TABLE event_blocks (" + repeatColumn + R"sql(,
    track    TEXT NOT NULL,
    ordinal  INTEGER NOT NULL,
    first_ns INTEGER NOT NULL,
    last_ns  INTEGER NOT NULL,
    count    INTEGER NOT NULL,
    data     BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX event_blocks_by_track ON event_blocks (repeat, track, ordinal, first_ns, last_ns, count);

CREATE TABLE pyramids ()sql"
        + repeatColumn + R"sql(,
    track    TEXT NOT NULL,
    counter  TEXT NOT NULL CHECK (counter IN ('allocated', 'reserved', 'active')),
    level    INTEGER NOT NULL,
    first_ns INTEGER NOT NULL,
    last_ns  INTEGER NOT NULL,
    count    INTEGER NOT NULL,
    data     BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX pyramids_by_time ON pyramids (repeat, track, counter, level, first_ns);
)sql";
}

// What the allocator held, now and then: docs/database.md.
std::string segmentStretches(const std::string& repeatColumn)
{
    return "CREATE TABLE segment_stretches (" + repeatColumn + R"sql(,
    track                TEXT NOT NULL,
    ordinal              INTEGER NOT NULL,
    first_event          INTEGER NOT NULL,
    events               INTEGER NOT NULL,
    peak_events          INTEGER NOT NULL,
    peak_reserved_bytes  INTEGER NOT NULL,
    peak_allocated_bytes INTEGER NOT NULL,
    failures             BLOB,
    data                 BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX segment_stretches_by_track ON segment_stretches (repeat, track, ordinal);
)sql";
}

constexpr auto kSpoolTables = R"sql(
CREATE TABLE spool (
    finished INTEGER NOT NULL CHECK (finished IN (0, 1))
) STRICT;
INSERT INTO spool VALUES (0);

CREATE TABLE phases (
    ordinal  INTEGER PRIMARY KEY,
    name     TEXT NOT NULL,
    step     INTEGER NOT NULL,
    begin_ns INTEGER NOT NULL,
    end_ns   INTEGER NOT NULL
) STRICT;

CREATE TABLE diagnostics (
    severity TEXT NOT NULL CHECK (severity IN ('info', 'warning', 'error')),
    kind     TEXT NOT NULL,
    message  TEXT NOT NULL,
    count    INTEGER NOT NULL
) STRICT;
)sql";

} // namespace

const Schema& workspaceSchema()
{
    static const Schema schema{.kind = "workspace",
        .applicationId = 0x48445257, // "HDRW"
        .durability = Durability::Checkpoint,
        .migrations = {
            {1, kExperimentTables + traceTables("repeat INTEGER NOT NULL REFERENCES repeats (id) ON DELETE CASCADE")},
            {2, kExperimentEnd}, {3, workspaceRecordTables()}, {4, workspaceRecordIndex()},
            {5, segmentStretches("repeat INTEGER NOT NULL REFERENCES repeats (id) ON DELETE CASCADE")}}};
    return schema;
}

const Schema& spoolSchema()
{
    static const Schema schema{.kind = "spool",
        .applicationId = 0x48445253, // "HDRS"
        .durability = Durability::ProcessOnly,
        .oldestReadable = 1,
        .migrations = {{1, kSpoolTables + traceTables("repeat INTEGER NOT NULL")}, {2, spoolRecordTables()},
            {3, segmentStretches("repeat INTEGER NOT NULL")}}};
    return schema;
}

} // namespace headroom::store
