// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/SqliteFile.h"
#include "profiling/store/traces/Rows.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace headroom::store {

/// Measures how much of a workspace its traces take, and removes them; inside the caller's transaction. Throws
/// FileError.
class TraceRetention {
public:
    explicit TraceRetention(SqliteFile& file)
        : m_file(file)
    {
    }

    /// The space in use now, to determine how much an import adds.
    Bytes usedBytes();
    void setBytes(std::int64_t repeat, Bytes bytes);

    std::map<std::int64_t, Bytes> bytesByTrial();
    std::vector<std::int64_t> tracedOfTrial(std::int64_t trial); ///< repeats, the oldest first
    std::vector<std::int64_t> tracedOfExperiment(std::int64_t experiment);
    Bytes totalBytes();

    /// Drops the data of a trace, keeps the results, and records it in diagnostics with `why` at the end of the
    /// message.
    DroppedTraces dropOfRepeat(std::int64_t repeat, const std::string& why);

    /// Reduces the traces to the limit after a repeat was imported: traces of other experiments are dropped, the oldest
    /// first; if the repeat's own experiment exceeds the limit by itself, the new trace is dropped and the others stay.
    DroppedTraces enforce(Bytes limit, std::int64_t repeat);

private:
    struct Trace {
        std::int64_t repeat;
        std::int64_t experiment;
        Bytes bytes;
    };

    std::vector<Trace> traces(const std::string& where, std::int64_t id);
    static std::vector<std::int64_t> repeatsOf(const std::vector<Trace>& traces);
    DroppedTraces drop(const std::vector<Trace>& traces, const std::string& why);
    void drop(const Trace& trace);
    void diagnose(const Trace& trace, const std::string& why);

    SqliteFile& m_file;
};

} // namespace headroom::store
