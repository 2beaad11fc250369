# SPDX-License-Identifier: Apache-2.0
"""Checks an SQLite file against what scripts for exports of Nsight Systems rely on.

Usage: check_nsys.py FILE [--alter] [--curve]

Prints one line of JSON with what is in it; with --curve the allocated bytes after each allocator event before that. With
--alter a copy in memory is changed as the documentation's examples do. Exit code 1 where a rule is broken.
"""

import json
import sqlite3
import sys

import nsys_schema

ALLOCATED = """
SELECT start, sum(CASE action WHEN 'alloc' THEN size WHEN 'free_requested' THEN -size ELSE 0 END)
              OVER (ORDER BY rowid) FROM headroom_device_traces
WHERE track = 0 AND action IN ('alloc', 'free_requested') ORDER BY rowid
"""


class BrokenRule(Exception):
    pass


def require(holds, *what):
    if not holds:
        raise BrokenRule(" ".join(str(part) for part in what))


def names_of_tables(database):
    return {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def check_columns(database, tables):
    require(nsys_schema.ALWAYS_THERE <= tables, "missing tables", nsys_schema.ALWAYS_THERE - tables)
    for table in tables:
        columns = {row[1]: row for row in database.execute(f"PRAGMA table_info({table})")}
        if table.startswith("ENUM_"):
            require(list(columns) == ["id", "name", "label"], table, "has", list(columns))
        elif not table.startswith("headroom_"):
            require(table in nsys_schema.TABLES, "is no table of theirs:", table)
        for column, is_needed in nsys_schema.TABLES.get(table, {}).items():
            require(column in columns, table, "has no", column)
            _, _, kind, not_null, _, _ = columns[column]
            require(kind in ("INTEGER", "TEXT", "REAL"), table, column, kind)
            require(bool(not_null) == is_needed, table, column, "NOT NULL:", bool(not_null))


def check_values(database, tables):
    for (table, column), enum in nsys_schema.ENUMS.items():
        if table in tables:
            strange = database.execute(
                f"SELECT DISTINCT {column} FROM {table} WHERE {column} NOT IN (SELECT id FROM {enum})"
            ).fetchall()
            require(not strange, table, column, strange)
    for enum, values in nsys_schema.FIXED.items():
        labels = dict(database.execute(f"SELECT id, label FROM {enum}"))
        require(all(labels[number] == label for number, label in values.items()), enum, labels)
    for table, column in nsys_schema.STRING_COLUMNS:
        if table in tables:
            sql = f"SELECT count(*) FROM {table} WHERE {column} NOT IN (SELECT id FROM StringIds)"
            require(database.execute(sql).fetchone()[0] == 0, table, column, "names no string")
    for table in tables & {"CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY", "CUDA_GPU_MEMORY_USAGE_EVENTS"}:
        sql = f"SELECT count(*) FROM {table} WHERE globalPid NOT IN (SELECT globalPid FROM PROCESSES)"
        require(database.execute(sql).fetchone()[0] == 0, table, "is of no process")
    for global_pid, pid in database.execute("SELECT globalPid, pid FROM PROCESSES"):
        require(global_pid // 0x1000000 % 0x1000000 == pid and global_pid % 0x1000000 == 0, "globalPid", global_pid)


def one(database, sql):
    return database.execute(sql).fetchone()[0]


def alter(database):
    copy = sqlite3.connect(":memory:")
    database.backup(copy)
    copy.executescript(nsys_schema.ALTERATIONS)
    return one(copy, "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_RUNTIME WHERE name IS NOT NULL")


def summary(database, tables, arguments):
    found = {
        "rows": {table: one(database, f"SELECT count(*) FROM {table}") for table in sorted(tables)},
        "about": dict(database.execute("SELECT name, value FROM META_DATA_EXPORT")),
        "ranges": dict(database.execute("SELECT coalesce(text, ''), count(*) FROM NVTX_EVENTS GROUP BY 1"))
        if "NVTX_EVENTS" in tables
        else {},
    }
    if "CUDA_GPU_MEMORY_USAGE_EVENTS" in tables:
        found["peak"] = one(database, nsys_schema.PEAK)
        if "CUPTI_ACTIVITY_KIND_RUNTIME" in tables:
            found["calls"] = one(database, nsys_schema.CALLS_OF_ALLOCATIONS)
    if "--alter" in arguments:
        found["altered"] = alter(database)
    return found


def main(arguments):
    database = sqlite3.connect(f"file:{arguments[0]}?mode=ro", uri=True)
    try:
        require(one(database, "PRAGMA integrity_check") == "ok", "integrity")
        tables = names_of_tables(database)
        check_columns(database, tables)
        check_values(database, tables)
    except BrokenRule as broken:
        print(f"{arguments[0]}: {broken}", file=sys.stderr)
        return 1
    if "--curve" in arguments:
        for row in database.execute(ALLOCATED):
            print(*row)
    print(json.dumps(summary(database, tables, arguments)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
