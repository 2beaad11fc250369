// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sqlite3.h>

#include <atomic>

namespace headroom {

/// Counts what this process asks SQLite: the statements that are run, and the connections, that are opened during its
/// lifetime. One at a time.
class StatementCount {
public:
    StatementCount()
    {
        statements() = 0;
        connections() = 0;
        sqlite3_auto_extension(entry());
    }
    ~StatementCount() { sqlite3_cancel_auto_extension(entry()); }
    StatementCount(const StatementCount&) = delete;
    StatementCount& operator=(const StatementCount&) = delete;

    /// Of connections that were opened since.
    static std::atomic<int>& statements()
    {
        static std::atomic<int> count;
        return count;
    }
    static std::atomic<int>& connections()
    {
        static std::atomic<int> count;
        return count;
    }

private:
    using Entry = void (*)();

    static int began(unsigned, void*, void*, void*)
    {
        ++statements();
        return 0;
    }

    static int watch(sqlite3* database, char**, const void*)
    {
        ++connections();
        return sqlite3_trace_v2(database, SQLITE_TRACE_STMT, began, nullptr);
    }

    static Entry entry() { return reinterpret_cast<Entry>(&watch); }
};

} // namespace headroom
